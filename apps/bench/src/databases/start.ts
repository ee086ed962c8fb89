import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startMariadb, startPostgres } from '@proj/test-servers';

import type { DatabaseName, Place } from './database.ts';
import { SQLITE } from './sqlite.ts';

/**
 * As an operator would run it on such a machine: with its writes on disk, and without a log of
 * statements.
 */
export const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_connections: '100',
  max_wal_size: '4GB',
  fsync: 'on',
  full_page_writes: 'on',
  log_statement: 'none',
};

/**
 * As an operator would run it on such a machine: with its writes on disk, the binary log that
 * replication needs, and no log of statements.
 */
const MARIADB_SETTINGS = [
  'general-log=off',
  'max-connections=100',
  'innodb-buffer-pool-size=1G',
  'innodb-log-file-size=512M',
  'innodb-flush-log-at-trx-commit=1',
  'innodb-flush-method=fsync',
  'innodb-doublewrite=1',
  'log-bin',
  'sync-binlog=1',
];

/** Starts a server for a run, or makes a file. */
export const STARTS: Readonly<Record<DatabaseName, () => Promise<Place>>> = {
  postgres: () => startPostgres({ settings: POSTGRES_SETTINGS }),
  mariadb: () => startMariadb({ settings: MARIADB_SETTINGS }),
  sqlite: startFile,
};

/** Makes a file in a folder of its own, which goes with it. */
async function startFile(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-bench-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const url = `sqlite:${join(folder, 'bench.db')}`;
  const { run, close } = await SQLITE.connect(url);
  await run('pragma journal_mode = wal');
  await close();
  return {
    url,
    stop: async () => {
      process.removeListener('exit', remove);
      remove();
    },
  };
}
