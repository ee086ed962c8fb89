import { Pool } from 'pg';

import { type Pages, POOL } from './raw-page.ts';
import { postgresRows, postgresRowsAndTotal } from './statements.ts';

type Row = [rows: string, total?: string];

/** Named statements, planned once for each connection; the database writes the JSON. */
export function openPostgresPages(url: string): Pages {
  const pool = new Pool({ connectionString: url, max: POOL });
  const ask = async (name: string, text: string, values: number[]): Promise<Row> => {
    const { rows } = await pool.query<Row>({ name, text, values, rowMode: 'array' });
    return rows[0] ?? ['[]'];
  };
  return {
    read: async (table, { page, size }) => {
      const values = [size, (page - 1) * size];
      const [rows] = await ask(`rows ${table}`, postgresRows(table, '$1', '$2'), values);
      return { rows };
    },
    readWithTotal: async (table, { page, size }) => {
      const values = [size, (page - 1) * size];
      const [rows, total = ''] = await ask(
        `both ${table}`,
        postgresRowsAndTotal(table, '$1', '$2'),
        values,
      );
      return { rows, total };
    },
  };
}
