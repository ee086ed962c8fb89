import { DatabaseSync, type StatementSync } from 'node:sqlite';

import type { Pages, Product } from './database.ts';

const BOOLEAN = `json(case flag when 1 then 'true' else 'false' end)`;

export const SQLITE: Product = {
  label: 'SQLite',
  version: 'sqlite_version()',
  connect: async (url) => {
    const database = open(url);
    return {
      run: async (sql) => database.prepare(sql).all(),
      close: async () => database.close(),
    };
  },
  numbers: (count) =>
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select n from numbers`,
  creation: (table, numbers) => [
    `create table ${table} (id integer primary key, created_at timestamp not null, ` +
      'name text not null, amount decimal(12, 2) not null, flag boolean not null)',
    `insert into ${table} select n, strftime('%Y-%m-%dT%H:%M:%S', 1577836800 + n, 'unixepoch'),
      'item ' || n, (n * 7919 % 1000000) / 100.0, n % 3 = 0 from (${numbers})`,
    'analyze',
    'pragma wal_checkpoint(truncate)',
  ],
  exportCommand: (url, table) => {
    const record =
      "json_object('id', cast(id as text), 'created_at', created_at, 'name', name, 'amount', " +
      `cast(amount as text), 'flag', ${BOOLEAN})`;
    const statement = `select ${record} from ${table} order by id`;
    return { command: 'sqlite3', args: ['-readonly', fileOf(url), statement] };
  },
  openPages,
};

function fileOf(url: string): string {
  return url.replace(/^sqlite:/, '');
}

function open(url: string, readOnly = false): DatabaseSync {
  return new DatabaseSync(fileOf(url), { readOnly, timeout: 10_000 });
}

/** The database reads in the very process that serves; SQLite writes the JSON. */
function openPages(url: string): Pages {
  const database = open(url, true);
  const prepared = new Map<string, StatementSync>();
  const ask = (sql: string, ...values: number[]): string => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return String(Object.values(statement.get(...values) ?? {})[0]);
  };
  return async (table, { page, size }, isCounted) => {
    const read = (): string => ask(rowsOf(table), size, (page - 1) * size);
    if (!isCounted) return { rows: read() };
    // One snapshot, as the service reads both.
    database.exec('begin');
    try {
      return { rows: read(), total: ask(`select cast(count(*) as text) from "${table}"`) };
    } finally {
      database.exec('commit');
    }
  };
}

/** The database writes the page as one JSON text. */
function rowsOf(table: string): string {
  const members =
    `'id', cast("id" as text), 'created_at', "created_at", 'name', "name", 'amount', ` +
    `cast("amount" as text), 'flag', ${BOOLEAN}`;
  const page =
    'select "id", "created_at", "name", "amount", "flag" ' +
    `from "${table}" order by "id" limit ? offset ?`;
  return `select json_group_array(json_object(${members})) from (${page})`;
}
