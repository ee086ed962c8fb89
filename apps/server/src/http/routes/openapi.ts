import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import type { OpenApiVersion } from '../openapi/document.ts';

/** Where the API is described in which version of OpenAPI. */
const DOCUMENTS = {
  '/openapi-3.0.json': '3.0.4',
  '/openapi.json': '3.1.1',
  '/openapi-3.2.json': '3.2.0',
} as const satisfies Record<string, OpenApiVersion>;

/**
 * `GET /openapi.json` and the same in other versions: the API in a form for programs. They name no
 * model, so that anybody may read them.
 */
export async function openApiRoutes(app: FastifyInstance): Promise<void> {
  await app.register(etag);
  for (const [url, version] of Object.entries(DOCUMENTS)) openApiRoute(app, url, version);
}

function openApiRoute(app: FastifyInstance, url: string, version: OpenApiVersion): void {
  let text: Promise<string> | undefined;
  app.get(url, { config: { access: 'public' } }, async (_request, reply) => {
    text ??= writeDocument(version, app.publicUrl);
    return reply
      .header('cache-control', 'public, no-cache')
      .type('application/json')
      .send(await text);
  });
}

/** The document is made for the first who asks: a start does not wait for it. */
async function writeDocument(version: OpenApiVersion, publicUrl?: string): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return JSON.stringify(openApiDocument(version, publicUrl));
}
