import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import { packageFiles } from '../../process/program-files.ts';
import { PROGRAM_PAGE_HEADERS } from '../reply/page.ts';
import { FILE_ROUTE, PageFiles } from '../reply/page-files.ts';

// Links are relative, for a server below a path of a proxy.

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

/** Without a validator, which would send the document to a third party. */
const START =
  "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#reference', " +
  'deepLinking: true, validatorUrl: null });\n';

const HEADERS = { ...PROGRAM_PAGE_HEADERS, 'cache-control': 'public, max-age=3600' };

const OPTIONS = { config: { access: 'public' } } as const;

/** `GET /docs`: the API reference, with files of this server only. */
export async function referencePageRoutes(app: FastifyInstance): Promise<void> {
  app.get('/docs', OPTIONS, (_request, reply) =>
    reply.headers(HEADERS).type('text/html; charset=utf-8').send(PAGE),
  );
  app.get('/docs/start.js', OPTIONS, (_request, reply) =>
    reply.headers(HEADERS).type('application/javascript; charset=utf-8').send(START),
  );
  await app.register(fileRoutes);
}

async function fileRoutes(app: FastifyInstance): Promise<void> {
  const files = new PageFiles(packageFiles('@fastify/swagger-ui', 'static'));
  await app.register(etag);
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    app.get(`/docs/${name}`, FILE_ROUTE, (request, reply) =>
      files.send(name, { request, reply: reply.headers(HEADERS) }),
    );
  }
}
