import type { Statement } from '@proj/engine/database';
import {
  afterFile,
  newPostgresDatabase,
  startPostgres,
  type TestDatabase,
} from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Makes a database at the server of the worker for the tests of a group, and gives it once they
 * run.
 */
export function usePostgres(sql = ''): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await newPostgresDatabase();
    await database.client(sql);
  });
  return () => {
    if (database === undefined) throw new Error('The database is not made yet.');
    return database;
  };
}

/**
 * Starts a server for the tests of a group that kill, freeze, restart or reconfigure it, and gives
 * it once they run.
 */
export function useOwnPostgres({
  settings = {},
  sql = '',
}: { settings?: Record<string, string>; sql?: string } = {}): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres({ settings });
    await server.client(sql);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
}

/** A connection of a test's own, closed when the tests of the file are done. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // A test may end its session, or stop its server.
  client.on('error', () => undefined);
  await client.connect();
  afterFile(() => client.end().catch(() => undefined));
  return client;
}

/** What a statement gives, as the texts of the server or what the driver makes of them. */
export async function rowsOf(
  client: Client,
  { sql, parameters }: Statement,
): Promise<(string | null)[][]> {
  const asked = { text: sql, values: [...parameters], rowMode: 'array' } as const;
  return (await client.query<(string | null)[]>(asked)).rows;
}

/** The URL of another role, such as `reader` or `reader:password`, or of another database. */
export function urlOf(server: TestDatabase, login: string, database?: string): string {
  const url = new URL(server.url.replace('postgres@', `${login}@`));
  if (database !== undefined) url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
