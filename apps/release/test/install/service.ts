import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { type RunningService, startService } from '@proj/test-servers';

/** The token that the services of the tests take. */
export const TOKEN = 'dq_installation-tests-0123456789abcdefghijklmnop';

/** What `fixtures/read-list.mjs` says of the database. */
export const LIST_READ = 'bigint 25, 10 from 9007199254741001, true, sum 225179981368525075';

/** Writes an SQLite file whose 25 keys no double holds. */
export function writeDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec(`create table readings (id integer primary key, value integer not null);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 25)
    insert into readings select 9007199254740990 + i, i from n`);
  database.close();
}

/** Serves the database from this repository, for clients that are installed elsewhere. */
export async function serveFromRepository(): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const database = join(folder, 'readings.db');
  writeDatabase(database);
  const main = fileURLToPath(
    new URL('dist/main.js', import.meta.resolve('@proj/server/package.json')),
  );
  const command = [process.execPath, main, 'serve', '--database', `sqlite:${database}`];
  const service = await startService([...command, '--expose', 'all'], {
    env: { DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN },
  });
  const stop = async (): Promise<void> => {
    await service.stop();
    await rm(folder, { recursive: true });
  };
  return { ...service, stop };
}
