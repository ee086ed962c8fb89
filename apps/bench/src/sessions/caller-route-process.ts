import Fastify from 'fastify';
import { Pool } from 'pg';

import { answerParent, childInput } from '../processes/child.ts';
import { POOL, type RawPage } from '../subjects/bare/raw-page.ts';
import { replyText } from '../subjects/bare/reply-text.ts';
import { postgresRowsAndTotal } from '../subjects/bare/statements.ts';
import type { PageRequest } from '../tables/bench-database.ts';
import { CALLER_ROLE, everyTenant, type TenantClaims } from './tenants.ts';

/** Where the route reads, as a login that may take the role of callers, and where it listens. */
export interface CallerRouteInput {
  readonly url: string;
  readonly port: number;
}

type Row = [rows: string, total: string];

interface QueryBody {
  readonly query_model: string;
  readonly page: PageRequest;
}

const { url, port } = childInput() as CallerRouteInput;
const callers = new Map<string, TenantClaims>(
  everyTenant().map(({ token, claims }) => [`Bearer ${token}`, claims]),
);
const pool = new Pool({ connectionString: url, max: POOL, pipeline: true });
const app = Fastify();
app.post<{ Body: QueryBody }>('/api/v1/dynamic/query', async ({ headers, body }, reply) => {
  const claims = callers.get(headers.authorization ?? '');
  if (claims === undefined) return reply.code(401).send();
  const { query_model: table, page } = body;
  return reply.type('application/json').send(replyText(await read(table, page, claims), page));
});
answerParent(await app.listen({ host: '127.0.0.1', port }), async () => undefined);

/**
 * As PostgREST reads: the role and the claims are those of the transaction, and page and total come
 * from one statement. All is sent at once, and keeps its plan under a name.
 */
async function read(
  table: string,
  { page, size }: PageRequest,
  claims: TenantClaims,
): Promise<RawPage> {
  const client = await pool.connect();
  const [, , { rows: answer }] = await Promise.all([
    client.query('begin isolation level read committed read only'),
    client.query({
      name: 'caller',
      text: `select set_config('role', $1, true), set_config('app.tenant', $2, true),
        set_config('request.jwt.claims', $3, true)`,
      values: [CALLER_ROLE, claims.tenant, JSON.stringify(claims)],
    }),
    client.query<Row>({
      name: table,
      text: postgresRowsAndTotal(table, '$1', '$2'),
      values: [size, (page - 1) * size],
      rowMode: 'array',
    }),
    client.query('commit'),
  ]);
  client.release();
  const [rows = '[]', total = ''] = answer[0] ?? [];
  return { rows, total };
}
