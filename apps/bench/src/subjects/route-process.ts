import Fastify from 'fastify';
import { Pool } from 'pg';

import { type DatabaseName, type PageRequest, POOL, type RawPage } from '../databases/database.ts';
import { rowsAndTotal } from '../databases/postgres.ts';
import { PRODUCTS } from '../databases/products.ts';
import { answerParent, childInput } from '../processes/child.ts';
import { CALLER_ROLE, TENANTS } from '../sessions/tenants.ts';

/**
 * What a route does: reads a page by `offset`, counts the table too, sends the same again and
 * again, or reads and counts as the caller that its token names.
 */
export type RouteKind = 'bare' | 'bare-count' | 'static' | 'caller';

export interface RouteInput {
  readonly kind: RouteKind;
  readonly database: DatabaseName;
  readonly url: string;
  readonly port: number;
}

interface Asked {
  readonly table: string;
  readonly page: PageRequest;
  readonly authorization: string | undefined;
}

interface QueryBody {
  readonly query_model: string;
  readonly page: PageRequest;
}

const { kind, database, url, port } = childInput() as RouteInput;
let fixedReply = '';
const app = Fastify();
const answer = answerOf(kind);
app.post<{ Body: QueryBody }>('/api/v1/dynamic/query', async ({ headers, body }, reply) => {
  const { query_model: table, page } = body;
  const { authorization } = headers;
  return reply.type('application/json').send(await answer({ table, page, authorization }));
});
answerParent(await app.listen({ host: '127.0.0.1', port }), async (reply) => {
  fixedReply = String(reply);
});

function answerOf(wanted: RouteKind): (asked: Asked) => string | Promise<string> {
  if (wanted === 'static') return () => fixedReply;
  if (wanted === 'caller') {
    const read = openCallerPages();
    return async (asked) => replyText(await read(asked), asked.page);
  }
  const read = PRODUCTS[database].openPages(url);
  return async ({ table, page }) => replyText(await read(table, page, wanted !== 'bare'), page);
}

/** The reply of a route, as the contract has it. */
function replyText({ rows, total }: RawPage, { page, size }: PageRequest): string {
  const counted = total === undefined ? {} : { total, has_next: page * size < Number(total) };
  const metadata = { page: String(page), size: String(size), ...counted };
  return `{"result":${rows},"page":${JSON.stringify(metadata)}}`;
}

/**
 * As PostgREST reads: the role and the claims are those of the transaction, and page and total come
 * from one statement. All is sent at once, and keeps its plan under a name.
 */
function openCallerPages(): (asked: Asked) => Promise<RawPage> {
  const callers = new Map(TENANTS.map(({ token, claims }) => [`Bearer ${token}`, claims]));
  const pool = new Pool({ connectionString: url, max: POOL, pipeline: true });
  return async ({ table, page: { page, size }, authorization = '' }) => {
    const claims = callers.get(authorization);
    if (claims === undefined) throw new Error('There is no such caller.');
    const client = await pool.connect();
    const [, , { rows: found }] = await Promise.all([
      client.query('begin isolation level read committed read only'),
      client.query({
        name: 'caller',
        text: `select set_config('role', $1, true), set_config('app.tenant', $2, true),
          set_config('request.jwt.claims', $3, true)`,
        values: [CALLER_ROLE, claims.tenant, JSON.stringify(claims)],
      }),
      client.query<[rows: string, total: string]>({
        name: table,
        text: rowsAndTotal(table),
        values: [size, (page - 1) * size],
        rowMode: 'array',
      }),
      client.query('commit'),
    ]);
    client.release();
    const [rows = '[]', total = ''] = found[0] ?? [];
    return { rows, total };
  };
}
