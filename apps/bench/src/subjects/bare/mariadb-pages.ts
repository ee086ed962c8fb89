import { createPool, type RowDataPacket } from 'mysql2/promise';

import { type Pages, POOL } from './raw-page.ts';
import { mariadbRows } from './statements.ts';

/** Prepared statements; Node writes the JSON, as is usual with this driver. */
export function openMariadbPages(url: string): Pages {
  const pool = createPool({
    uri: url,
    connectionLimit: POOL,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  const ask = async (sql: string, values: string[]): Promise<RowDataPacket[]> =>
    (await pool.execute<RowDataPacket[]>(sql, values))[0];
  return {
    read: async (table, { page, size }) => {
      const rows = await ask(mariadbRows(table, { limit: '?', offset: '?' }), [
        String(size),
        String((page - 1) * size),
      ]);
      return { rows: JSON.stringify(rows.map(toRecord)) };
    },
    readWithTotal: async (table, { page, size }) => {
      const counting = `(select count(*) from \`${table}\`) as total`;
      const rows = await ask(mariadbRows(table, { limit: '?', offset: '?' }, counting), [
        String(size),
        String((page - 1) * size),
      ]);
      return { rows: JSON.stringify(rows.map(toRecord)), total: String(rows[0]?.['total'] ?? 0) };
    },
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
