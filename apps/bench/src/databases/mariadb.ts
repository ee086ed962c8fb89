import { createConnection, createPool, type RowDataPacket } from 'mysql2/promise';

import { type Pages, POOL, type Product } from './database.ts';

/** What a driver reads as texts. */
const LOSSLESS = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true };

const WRITTEN = "date_format(created_at, '%Y-%m-%dT%H:%i:%s')";

export const MARIADB: Product = {
  label: 'MariaDB',
  version: "concat(substring_index(version(), '-', 1), ', binary log on')",
  connect: async (uri) => {
    const connection = await createConnection({ uri, ...LOSSLESS });
    const run = async (sql: string): Promise<RowDataPacket[]> =>
      (await connection.query<RowDataPacket[]>(sql))[0];
    return { run, close: () => connection.end() };
  },
  numbers: (count) => `select seq as n from seq_1_to_${count}`,
  // The rows stay out of the binary log.
  creation: (table, numbers) => [
    `create table ${table} (id bigint primary key, created_at datetime not null, ` +
      'name varchar(40) not null, amount decimal(12, 2) not null, flag boolean not null)',
    'set sql_log_bin = 0',
    `insert into ${table} select n, timestampadd(second, n, '2020-01-01 00:00:00'),
      concat('item ', n), (n * 7919 % 1000000) / 100, n % 3 = 0 from (${numbers}) as source`,
    'set sql_log_bin = 1',
    `analyze table ${table}`,
  ],
  exportCommand: (url, table) => {
    const { hostname, port, username, password, pathname } = new URL(url);
    const record =
      `json_object('id', cast(id as char), 'created_at', ${WRITTEN}, 'name', name, ` +
      "'amount', cast(amount as char), 'flag', flag = 1)";
    const login = [`--host=${hostname}`, `--port=${port || '3306'}`, `--user=${username}`];
    const secret = password === '' ? [] : [`--password=${decodeURIComponent(password)}`];
    const form = ['--quick', '--raw', '--skip-column-names', pathname.slice(1)];
    const statement = `--execute=select ${record} from ${table} order by id`;
    return { command: 'mariadb', args: ['--no-defaults', ...login, ...secret, ...form, statement] };
  },
  openPages,
};

/** Prepared statements; Node writes the JSON, as is usual with this driver. */
function openPages(uri: string): Pages {
  const pool = createPool({ uri, connectionLimit: POOL, ...LOSSLESS });
  return async (table, { page, size }, isCounted) => {
    const total = isCounted ? `, (select count(*) from \`${table}\`) as total` : '';
    const [rows] = await pool.execute<RowDataPacket[]>(
      `select id, created_at, name, amount, flag${total} from \`${table}\` order by id ` +
        'limit ? offset ?',
      [String(size), String((page - 1) * size)],
    );
    const records = JSON.stringify(rows.map(toRecord));
    return { rows: records, ...(isCounted && { total: String(rows[0]?.['total'] ?? 0) }) };
  };
}

function toRecord({ id, created_at, name, amount, flag }: RowDataPacket): Record<string, unknown> {
  return {
    id: String(id),
    created_at: String(created_at).replace(' ', 'T'),
    name,
    amount,
    flag: flag === 1,
  };
}
