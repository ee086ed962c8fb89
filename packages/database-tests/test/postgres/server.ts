import type { TestDatabase } from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';

import type { PoolLimits } from '../../../engine/src/sources/pools/connection-pool.ts';
import { openPostgres } from '../../../postgres/src/source.ts';
import type { RelationPath } from '../../../engine/src/catalogue/relation.ts';
import type { Source } from '../../../engine/src/sources/source.ts';
import { callOf, type TestCall } from '../../../engine/test/call.ts';
import { statements } from '../statements.ts';
import { connect, type PostgresServer, useOwnPostgres } from '../../../postgres/test/server.ts';

export {
  connect,
  rowsOf,
  urlOf,
  useOwnPostgres,
  usePostgres,
} from '../../../postgres/test/server.ts';
export type { PostgresServer } from '../../../postgres/test/server.ts';

/** A database at a server of its own. */
export type Twin = TestDatabase & Pick<PostgresServer, 'restart'>;

/**
 * Starts a server with a database of the same name as another one, to which the same sessions can
 * be led.
 */
export function useTwin(
  of: () => TestDatabase,
  sql: string,
  settings: Record<string, string> = {},
): () => Twin {
  const server = useOwnPostgres({ settings });
  let twin: Twin | undefined;
  beforeAll(async () => {
    const { pathname } = new URL(of().url);
    const name = pathname.slice(1);
    await server().client(`create database ${name}`);
    const client = (text: string): Promise<string> => server().client(text, name);
    await client(sql);
    const url = new URL(server().url);
    url.pathname = pathname;
    const [log, restart] = [() => server().log(), () => server().restart()];
    twin = { url: url.href, client, log, restart };
  });
  return () => {
    if (twin === undefined) throw new Error('The server is not started yet.');
    return twin;
  };
}

/** Waits until so many wait for locks that others hold. */
export async function untilLocked(client: Client, count = 1): Promise<void> {
  const waits = async (): Promise<number | null> =>
    (await client.query('select from pg_locks where not granted')).rowCount;
  await expect.poll(waits, { interval: 10 }).toBe(count);
}

/** A source that is closed when the test is done. */
export async function openSource(...asked: Parameters<typeof openPostgres>): Promise<Source> {
  const source = await openPostgres(...asked);
  onTestFinished(() => source.close());
  return source;
}

/** Opens sources that are closed when the tests of the group are done. */
export function useSources(
  server: () => TestDatabase,
): (limits?: Partial<PoolLimits>) => Promise<Source> {
  const sources: Source[] = [];
  afterAll(() => Promise.all(sources.map((source) => source.close())));
  return async (limits = {}) => {
    const source = await openPostgres(server().url, {
      limits: { connections: 1, maxWaiting: 1000, maxWaitMs: 2000, ...limits },
    });
    sources.push(source);
    return source;
  };
}

/** The lock that {@link GATED} shares, once nobody has it alone. */
const GATE = 4711;

/** A statement that passes once the gate is open. It may wait for longer than sessions do for locks. */
export const GATED = `
  with recursive turns (n) as (
    select 1
    union all
    select n + 1 from turns
    where not pg_try_advisory_xact_lock_shared(${GATE}) and pg_sleep(0.01)::text = ''
  )
  select 'passed', count(*) from turns`;

/**
 * Has statements {@link GATED} wait.
 *
 * @returns opens the gate
 */
export async function closeGate(server: TestDatabase): Promise<() => Promise<void>> {
  const client = await connect(server.url);
  await client.query(`select pg_advisory_lock(${GATE})`);
  return () => client.end();
}

/** A statement that takes longer than any test waits, unless it is stopped. */
export const ENDLESS = `select pg_sleep(300)::text || 'endless', 1`;

/** The text that a statement of two columns gives as its page; the second is the total. */
export async function read(source: Source, sql: string, call: TestCall = {}): Promise<string> {
  const rows = `with x (v, t) as (${sql}) select v, 1, null::text, t from x`;
  const { json } = await readPage(source, { relations: [], rows, count: rows }, call);
  return json ?? '';
}

/** Reads a page whose statement gives its total, too. */
export function readPage(
  source: Source,
  { relations, ...sql }: { relations: readonly RelationPath[]; rows: string; count: string },
  call: TestCall = {},
) {
  const list = statements(sql);
  const asked = {
    query: { ...list, relations, atOnce: list.rows },
    range: { size: 10, offset: 0n },
  };
  return source.read({ kind: 'page', asked }, callOf(call));
}

/** Asks the server directly, as its superuser. */
async function query(server: TestDatabase, sql: string): Promise<unknown> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  try {
    const { rows } = await client.query<[unknown]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** Waits until so many slow statements run; the view `napping` is read by them. */
export async function untilRunning(server: TestDatabase, count: number): Promise<void> {
  const mine = `state = 'active' and query ~ 'pg_sleep|napping' and pid <> pg_backend_pid()`;
  const running = (): Promise<unknown> =>
    query(server, `select count(*)::int from pg_stat_activity where ${mine}`);
  await expect.poll(running, { interval: 10 }).toBe(count);
}

/**
 * Ends every session of the engine.
 *
 * @param waitMs for how long each is waited for to have ended. Default: it may end later
 */
export async function terminateAll(server: TestDatabase, waitMs = 0): Promise<void> {
  await query(
    server,
    `select count(pg_terminate_backend(pid, ${waitMs})) from pg_stat_activity where application_name = 'dynamic-query'`,
  );
}
