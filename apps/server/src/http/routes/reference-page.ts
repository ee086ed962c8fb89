import { type Answer, PageFiles, PROGRAM_PAGE_HEADERS, type Route } from '@proj/fastify/host';

import { packageFiles } from '../../process/program-files.ts';

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

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** `GET /docs`: the API reference, with files of this server only. */
export function referencePageRoutes(): Route[] {
  const files = new PageFiles(packageFiles('@fastify/swagger-ui', 'static'));
  const route = { methods: ['GET'], access: 'public' } as const;
  return [
    { ...route, path: 'docs', answer: () => text(PAGE, 'text/html') },
    { ...route, path: 'docs/start.js', answer: () => text(START, 'application/javascript') },
    ...FILES.map((name): Route => ({
      ...route,
      path: `docs/${name}`,
      answer: (ask) => files.answer(name, ask, HEADERS),
    })),
  ];
}

function text(body: string, type: string): Answer {
  return { status: 200, headers: { ...HEADERS, 'content-type': `${type}; charset=utf-8` }, body };
}
