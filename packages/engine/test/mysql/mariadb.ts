import {
  hasMariadb,
  type MariadbOptions,
  type MariadbServer,
  newMariadbDatabase,
  startMariadb,
  type TestDatabase,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe } from 'vitest';

/** A group of tests that need a MariaDB server. */
export function describeMariadb(title: string, tests: () => void): void {
  (hasMariadb() ? describe : describe.skip)(title, tests);
}

/** Of a server that ends where it finds that it has written past the end of a piece of memory. */
export const CHECKED_MEMORY = {
  environment: { LD_PRELOAD: 'libc_malloc_debug.so.0', GLIBC_TUNABLES: 'glibc.malloc.check=3' },
  settings: ['skip-stack-trace'],
};

/**
 * Makes a database at the server of the worker for the tests of a group, and gives it once they
 * run.
 *
 * @param sql may ask for the name of the database
 */
export function useMariadb(sql: string | ((name: string) => string) = ''): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    if (!hasMariadb()) return;
    database = await newMariadbDatabase();
    await database.client(typeof sql === 'string' ? sql : sql(nameOf(database)));
  });
  return () => {
    if (database === undefined) throw new Error('The database is not made yet.');
    return database;
  };
}

/** The name by which statements call a database. */
export function nameOf(database: TestDatabase): string {
  return new URL(database.url).pathname.slice(1);
}

/**
 * Starts a server for the tests of a group that kill, freeze, restart or reconfigure it, and gives
 * it once they run.
 */
export function useOwnMariadb({
  sql = '',
  ...options
}: MariadbOptions & { readonly sql?: string } = {}): () => MariadbServer {
  let server: MariadbServer | undefined;
  beforeAll(async () => {
    if (!hasMariadb()) return;
    server = await startMariadb(options);
    await server.client(sql);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
}
