import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

/**
 * `GET /openapi.json`: the API in a form for programs. It names no model, so that anybody may read
 * it.
 */
export async function openApiRoute(app: FastifyInstance): Promise<void> {
  let text: Promise<string> | undefined;
  await app.register(etag);

  app.get('/openapi.json', { config: { access: 'public' } }, async (_request, reply) => {
    text ??= writeDocument();
    return reply
      .header('cache-control', 'public, no-cache')
      .type('application/json')
      .send(await text);
  });
}

/** The document is made for the first who asks: a start does not wait for it. */
async function writeDocument(): Promise<string> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return JSON.stringify(openApiDocument());
}
