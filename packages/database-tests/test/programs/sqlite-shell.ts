/**
 * Runs the statements of its input, one a line, on the file that the first argument names, as
 * `sqlite3 -list` does.
 */
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';

const [path = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 60_000 });

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue;
  const statement = database.prepare(line);
  statement.setReadBigInts(true);
  for (const row of statement.all()) process.stdout.write(`${Object.values(row).join('\t')}\n`);
}
