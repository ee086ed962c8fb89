import { Client, Pool } from 'pg';

import { type Pages, POOL, type Product } from './database.ts';

export const POSTGRES: Product = {
  label: 'PostgreSQL',
  version: `current_setting('server_version')`,
  connect: async (url) => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return { run: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
  },
  numbers: (count) => `select n from generate_series(1::bigint, ${count}) as s (n)`,
  // The key is built after the rows, which takes half the time.
  creation: (table, numbers) => [
    `create table ${table} (id bigint not null, created_at timestamp not null, ` +
      'name text not null, amount numeric(12, 2) not null, flag boolean not null)',
    `insert into ${table} select n, timestamp '2020-01-01' + n * interval '1 second',
      'item ' || n, (n * 7919 % 1000000) / 100.0, n % 3 = 0 from (${numbers}) as source`,
    `alter table ${table} add primary key (id)`,
    `vacuum analyze ${table}`,
    'checkpoint',
  ],
  exportCommand: (url, table) => {
    const record =
      "json_build_object('id', id::text, 'created_at', created_at, 'name', name, 'amount', " +
      "amount::text, 'flag', flag)";
    // The copy format would double the backslashes of JSON; these rows hold none.
    const statement = `copy (select ${record} from ${table} order by id) to stdout`;
    return { command: 'psql', args: ['--no-psqlrc', '--quiet', url, '--command', statement] };
  },
  openPages,
};

type Counted = [rows: string, total?: string];

/** Named statements, planned once for each connection; the database writes the JSON. */
function openPages(url: string): Pages {
  const pool = new Pool({ connectionString: url, max: POOL });
  return async (table, { page, size }, isCounted) => {
    const { rows: answer } = await pool.query<Counted>({
      name: `${isCounted ? 'both' : 'rows'} ${table}`,
      text: isCounted ? rowsAndTotal(table) : rowsOf(table),
      values: [size, (page - 1) * size],
      rowMode: 'array',
    });
    const [rows, total] = answer[0] ?? ['[]'];
    return { rows, ...(total !== undefined && { total }) };
  };
}

/** The database writes the page as one JSON text, with the encodings of the contract. */
function rowsOf(table: string): string {
  const columns =
    '"t"."id" as "c0", "t"."created_at" as "c1", "t"."name" as "c2", ' +
    '"t"."amount" as "c3", "t"."flag" as "c4"';
  const members = [
    `'{"id":' || coalesce(to_json("c0"::text)::text, 'null')`,
    `',"created_at":' || coalesce(to_json("c1")::text, 'null')`,
    `',"name":' || coalesce(to_json("c2"::text)::text, 'null')`,
    `',"amount":' || coalesce(to_json("c3"::text)::text, 'null')`,
    `',"flag":' || coalesce(to_json("c4")::text, 'null') || '}'`,
  ];
  const page = `select ${columns} from "${table}" as "t" order by "t"."id" asc limit $1 offset $2`;
  return (
    `select '[' || coalesce(string_agg(${members.join(' || ')}, ','), '') || ']' ` +
    `from (${page}) as "p"`
  );
}

/** The page as one JSON text, with the length of the list beside it; `limit` comes first. */
export function rowsAndTotal(table: string): string {
  return `select (${rowsOf(table)}) as "rows", (select count(*) from "${table}") as "total"`;
}
