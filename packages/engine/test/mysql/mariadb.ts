import { hasMariadb, type MariadbServer, startMariadb } from '@proj/test-servers';
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

/** Starts a server for the tests of a file, and gives it once they run. */
export function useMariadb({
  settings = [],
  sql = '',
}: { settings?: readonly string[]; sql?: string } = {}): () => MariadbServer {
  let server: MariadbServer | undefined;
  beforeAll(async () => {
    if (!available) return;
    server = await startMariadb({ settings });
    await server.client(sql);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('The server is not started yet.');
    return server;
  };
}
