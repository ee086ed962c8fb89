import Fastify from 'fastify';

import { answerParent, childInput } from '../../processes/child.ts';
import type { DatabaseName } from '../../scenarios.ts';
import { openPages } from './pages.ts';
import { replyText } from './reply-text.ts';

/** What a route without auth and validation does. */
export type BareKind = 'bare' | 'bare-count' | 'static';

export interface BareInput {
  readonly kind: BareKind;
  readonly database: DatabaseName;
  readonly url: string;
  readonly port: number;
}

interface QueryBody {
  readonly query_model: string;
  readonly page: { readonly page: number; readonly size: number };
}

const { kind, database, url, port } = childInput() as BareInput;
let fixedReply = '';
const app = Fastify();
const handle = await handlerOf(kind);
app.post<{ Body: QueryBody }>('/api/v1/dynamic/query', async (request, reply) =>
  reply.type('application/json').send(await handle(request.body)),
);
const origin = await app.listen({ host: '127.0.0.1', port });
answerParent(origin, async (reply) => {
  fixedReply = String(reply);
});

async function handlerOf(wanted: BareKind): Promise<(body: QueryBody) => string | Promise<string>> {
  if (wanted === 'static') return () => fixedReply;
  const pages = await openPages(database, url);
  if (wanted === 'bare')
    return async ({ query_model, page }) => replyText(await pages.read(query_model, page), page);
  return async ({ query_model, page }) =>
    replyText(await pages.readWithTotal(query_model, page), page);
}
