import { fileURLToPath } from 'node:url';

import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';

import { PROGRAM_PAGE_HEADERS } from '../page.ts';

// Links are relative, for a server that is below a path of a proxy.

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>API reference · Dynamic Query</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`;

/** Without a validator, which would send the document to a service of others. */
const START =
  "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', " +
  'deepLinking: true, validatorUrl: null });\n';

const HEADERS = { ...PROGRAM_PAGE_HEADERS, 'cache-control': 'public, max-age=3600' };

const OPTIONS = { config: { access: 'public' } } as const;

/** `GET /docs`: the API reference as a page, of which every file comes from this server. */
export async function referencePageRoutes(app: FastifyInstance): Promise<void> {
  await app.register(files, { root: swaggerUi(), serve: false, cacheControl: false });

  app.get('/docs', OPTIONS, (_request, reply) =>
    reply.headers(HEADERS).type('text/html; charset=utf-8').send(PAGE),
  );
  app.get('/docs/start.js', OPTIONS, (_request, reply) =>
    reply.headers(HEADERS).type('application/javascript; charset=utf-8').send(START),
  );
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    app.get(`/docs/${name}`, OPTIONS, (_request, reply) => reply.headers(HEADERS).sendFile(name));
  }
}

function swaggerUi(): string {
  return fileURLToPath(new URL('static', import.meta.resolve('@fastify/swagger-ui/package.json')));
}
