import { createPool, type RowDataPacket } from 'mysql2/promise';

import type { PageRequest } from '../../tables/bench-database.ts';
import { type Pages, POOL } from './raw-page.ts';
import { mariadbRows } from './statements.ts';

const PLACEHOLDERS = { limit: '?', offset: '?' };

/** Prepared statements; Node writes the JSON, as is usual with this driver. */
export function openMariadbPages(url: string): Pages {
  const pool = createPool({
    uri: url,
    connectionLimit: POOL,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  const ask = async (sql: string, { page, size }: PageRequest): Promise<RowDataPacket[]> => {
    const values = [String(size), String((page - 1) * size)];
    return (await pool.execute<RowDataPacket[]>(sql, values))[0];
  };
  return {
    read: async (table, request) => {
      const rows = await ask(mariadbRows(table, PLACEHOLDERS), request);
      return { rows: JSON.stringify(rows.map(toRecord)) };
    },
    readWithTotal: async (table, request) => {
      const counting = `(select count(*) from \`${table}\`) as total`;
      const rows = await ask(mariadbRows(table, PLACEHOLDERS, counting), request);
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
