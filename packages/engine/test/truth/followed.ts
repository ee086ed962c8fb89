import { startPostgres } from '@proj/test-servers';

import type { Fixture } from '../fixtures/fixture.ts';
import { postgres, postgresDatabase } from '../fixtures/postgres.ts';

/**
 * A PostgreSQL server of its own, whose changes an engine follows: the transactions of other tests
 * would hold up the slot.
 */
export const followedPostgres: Fixture = {
  ...postgres,
  name: 'PostgreSQL, followed',
  settings: { follow: true },

  async create() {
    const server = await startPostgres({
      settings: { wal_level: 'logical', max_connections: '100', log_statement: 'none' },
    });
    const database = postgresDatabase(server.url);
    await database.execute([
      `create type mood as enum ('happy', 'ok', 'sad')`,
      'create publication dynamic_query for all tables',
    ]);
    return { ...database, close: () => server.stop() };
  },
};
