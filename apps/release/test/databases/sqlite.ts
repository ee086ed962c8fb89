import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { childrenOf, freeze } from '../support/processes.ts';
import { type FaultDatabase, fillings, ITEMS } from './fault-database.ts';
import { onlyOnce } from '../support/only-once.ts';

const SLOW = `create view slow as select id, name from items
  where (
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 500000000)
    select max(i) from n
  ) > 0`;

/** Makes a file with the tables of the suite. */
export async function openSqlite(): Promise<FaultDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-faults-'));
  const file = join(folder, 'data.db');
  const opened = <Found>(use: (database: DatabaseSync) => Found): Found => {
    const database = new DatabaseSync(file, { timeout: 20_000 });
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  const run = async (sql: string): Promise<void> => opened((database) => database.exec(sql));
  for (const statement of [...ITEMS, ...fillings(), SLOW]) await run(statement);
  return {
    name: 'sqlite',
    url: `sqlite:${file}`,
    run,
    rows: async (sql) => opened((database) => database.prepare(sql).all()),
    halt: async () => rename(file, `${file}.away`),
    restart: async () => rename(`${file}.away`, file),
    lock: async () => {
      const database = new DatabaseSync(file, { timeout: 20_000 });
      database.exec('begin exclusive');
      return onlyOnce(() => database.close());
    },
    freeze: async (pid) => freeze(childrenOf(pid)),
    takeEveryConnection: async () => async () => undefined,
    breakConnections: async (pid) => {
      for (const reader of childrenOf(pid)) process.kill(reader, 'SIGKILL');
    },
    close: async () => rm(folder, { recursive: true, force: true }),
  };
}
