import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { hasProgram } from '../processes/program.ts';
import {
  type BenchDatabase,
  itemOf,
  type PageRequest,
  tableName,
  type TruePage,
} from './bench-database.ts';

/** Makes a file in a folder of its own, which goes with it. */
export async function openSqliteTables(): Promise<BenchDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-bench-'));
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', cleanUp);
  const file = join(folder, 'bench.db');
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('pragma journal_mode = wal');
  const version = database.prepare('select sqlite_version() as version').get()?.['version'];
  return {
    name: 'sqlite',
    url: `sqlite:${file}`,
    version: `SQLite ${String(version)}`,
    pid: undefined,
    createTable: async (count) => database.exec(creation(count)),
    createView: async (view, select) => database.exec(`create view ${view} as ${select}`),
    run: async (statement) => void database.prepare(statement).all(),
    truePage: async (count, request) => truePage(database, count, request),
    exportCommand: async (count) =>
      (await hasProgram('sqlite3'))
        ? { command: 'sqlite3', args: ['-readonly', file, exportStatement(count)] }
        : undefined,
    close: async () => {
      database.close();
      process.removeListener('exit', cleanUp);
      cleanUp();
    },
  };
}

function creation(count: number): string {
  const table = tableName(count);
  const values =
    "n, strftime('%Y-%m-%dT%H:%M:%S', 1577836800 + n, 'unixepoch'), 'item ' || n, " +
    '(n * 7919 % 1000000) / 100.0, n % 3 = 0';
  return `
    create table ${table} (
      id integer primary key,
      created_at timestamp not null,
      name text not null,
      amount decimal(12, 2) not null,
      flag boolean not null
    );
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      insert into ${table} select ${values} from numbers;
    analyze;
    pragma wal_checkpoint(truncate);`;
}

/** SQLite keeps a decimal as a number, so that 12.50 is written as 12.5. */
function truePage(database: DatabaseSync, count: number, { page, size }: PageRequest): TruePage {
  const table = tableName(count);
  const rows = database
    .prepare(
      'select cast(id as text) as id, created_at, name, cast(amount as text) as amount, ' +
        `flag from ${table} order by ${table}.id limit ? offset ?`,
    )
    .all(size, (page - 1) * size);
  const total = database.prepare(`select cast(count(*) as text) as total from ${table}`).get()?.[
    'total'
  ];
  return { items: rows.map(itemOf), total: String(total) };
}

function exportStatement(count: number): string {
  const flag = `json(case flag when 1 then 'true' else 'false' end)`;
  const record =
    "json_object('id', cast(id as text), 'created_at', created_at, 'name', name, 'amount', " +
    `cast(amount as text), 'flag', ${flag})`;
  return `select ${record} from ${tableName(count)} order by id`;
}
