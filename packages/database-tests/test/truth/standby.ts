import { startPostgres } from '@proj/test-servers';

import type { Fixture } from '../fixtures/fixture.ts';
import { postgres, postgresDatabase } from '../fixtures/postgres.ts';

/**
 * A PostgreSQL server and its standby, which engines read. No commit of a writer returns before the
 * standby shows it, so that a reply may show no older state than that.
 */
export const standbyOfPostgres: Fixture = {
  ...postgres,
  name: 'PostgreSQL, standby',

  async create() {
    const primary = await startPostgres({
      settings: { max_connections: '100', wal_keep_size: '256MB' },
    });
    const standby = await primary.startStandby();
    const database = postgresDatabase(primary.url);
    await database.execute([
      `alter system set synchronous_standby_names = '*'`,
      `alter system set synchronous_commit = 'remote_apply'`,
      'select pg_reload_conf()',
      `create type mood as enum ('happy', 'ok', 'sad')`,
    ]);
    return {
      ...database,
      readUrl: standby.url,
      close: async () => {
        await Promise.all([standby.stop(), primary.stop()]);
      },
    };
  },
};
