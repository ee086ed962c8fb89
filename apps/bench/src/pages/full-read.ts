import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { createClient } from '@proj/client';

import { COLUMNS, type ExportCommand, tableName } from '../databases/database.ts';
import type { BenchDatabase } from '../databases/open.ts';
import { timeOf } from '../median.ts';
import type { FullRead } from '../report/results.ts';
import type { Service } from '../subjects/service.ts';

/** Reads a whole table through the SDK, and then by the database's own export of the same JSON. */
export async function measureFullRead(
  database: BenchDatabase,
  rows: number,
  service: Service,
): Promise<FullRead> {
  const client = createClient({ baseUrl: service.origin, token: service.token });
  const sdk = await rateOf(rows, async () => {
    const list = { model: tableName(rows), attributes: COLUMNS, size: 1000 };
    let count = 0;
    for await (const page of client.pages(list, { concurrency: 8 })) count += page.records.length;
    return count;
  });
  const command = await database.exportCommand(rows);
  const own = command && (await rateOf(rows, () => countLines(command)));
  return { database: database.name, rows, sdk, export: own };
}

/**
 * Rows per second.
 *
 * @throws {Error} when rows are lost: such a read has no speed
 */
export async function rateOf(rows: number, read: () => Promise<number>): Promise<number> {
  let count = 0;
  const milliseconds = await timeOf(async () => {
    count = await read();
  });
  if (count < rows) throw new Error(`A full read brought ${count} of ${rows} rows.`);
  return count / (milliseconds / 1000);
}

const NEWLINE = 10;

/** How many lines a program prints. */
export async function countLines({ command, args }: ExportCommand): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}.`);
  return lines;
}
