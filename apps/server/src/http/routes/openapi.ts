import etag from '@fastify/etag';
import type { FastifyInstance } from 'fastify';

import { openApiDocument } from '../openapi/document.ts';

const TEXT = JSON.stringify(openApiDocument());

/**
 * `GET /openapi.json`: the API in a form for programs. It names no model, so that anybody may read
 * it.
 */
export async function openApiRoute(app: FastifyInstance): Promise<void> {
  await app.register(etag);

  app.get('/openapi.json', { config: { access: 'public' } }, (_request, reply) =>
    reply.header('cache-control', 'public, no-cache').type('application/json').send(TEXT),
  );
}
