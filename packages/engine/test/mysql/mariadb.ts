import {
  hasMariadb,
  type MariadbOptions,
  type MariadbServer,
  startMariadb,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe } from 'vitest';

const available = await hasMariadb();
if (!available) {
  const message =
    'No MariaDB server is installed (on Debian: apt-get install mariadb-server mariadb-client)';
  if (process.env['CI'] !== undefined) throw new Error(`${message}.`);
  console.warn(`${message}: its tests are skipped.`);
}

/** A group of tests that need a MariaDB server. */
export function describeMariadb(title: string, tests: () => void): void {
  (available ? describe : describe.skip)(title, tests);
}

/** Of a server that ends where it finds that it has written past the end of a piece of memory. */
export const CHECKED_MEMORY = {
  environment: { LD_PRELOAD: 'libc_malloc_debug.so.0', GLIBC_TUNABLES: 'glibc.malloc.check=3' },
  settings: ['skip-stack-trace'],
};

/** Starts a server for the tests of a file, and gives it once they run. */
export function useMariadb({
  sql = '',
  ...options
}: MariadbOptions & { readonly sql?: string } = {}): () => MariadbServer {
  let server: MariadbServer | undefined;
  beforeAll(async () => {
    if (!available) return;
    server = await startMariadb(options);
    await server.client(sql);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
}
