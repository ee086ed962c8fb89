import etag from '@fastify/etag';
import { API_PATHS } from '@proj/contract';
import { type AnsweringEngine, catalogueDocument, catalogueEntry } from '@proj/engine';
import type { FastifyInstance } from 'fastify';

import { acceptsJson } from '../request/accepts-json.ts';
import { grantOf } from '../plugins/access.ts';
import { HttpProblem } from '../problems.ts';

const OPTIONS = { config: { access: 'token' }, onRequest: acceptsJson } as const;

/** `GET /api/v1/dynamic/models` and `…/models/{name}`: what the caller's token may see. */
export async function catalogueRoutes(
  app: FastifyInstance,
  { engine }: { readonly engine: Pick<AnsweringEngine, 'catalogue'> },
): Promise<void> {
  await app.register(etag);

  app.get(`/${API_PATHS.models}`, OPTIONS, (request, reply) => {
    void reply.header('cache-control', 'private, no-cache');
    return reply.send(catalogueDocument(engine.catalogue, grantOf(request)));
  });

  app.get<{ Params: { name: string } }>(`/${API_PATHS.models}/:name`, OPTIONS, (request, reply) => {
    const entry = catalogueEntry(engine.catalogue, grantOf(request), request.params.name);
    if (entry === undefined)
      throw new HttpProblem('not_found', 'No model of this name is visible to the token.');
    void reply.header('cache-control', 'private, no-cache');
    return reply.send(entry);
  });
}
