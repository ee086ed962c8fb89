/** Runs the statements of its input, one a line, on the DuckDB file that the first argument names. */
import { createInterface } from 'node:readline';

import { DuckDBInstance } from '@duckdb/node-api';

const [path = ''] = process.argv.slice(2);
const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
const connection = await instance.connect();

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const rows = await (await connection.run(line)).getRows();
  for (const row of rows)
    process.stdout.write(`${row.map((cell) => (cell === null ? '' : String(cell))).join('\t')}\n`);
}
