import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { startChild } from '../processes/child.ts';
import type { FullRead } from '../report/results.ts';
import type { Service } from '../subjects/service.ts';
import { type BenchDatabase, type ExportCommand, tableName } from '../tables/bench-database.ts';

export interface ReadAllInput {
  readonly origin: string;
  readonly token: string;
  readonly model: string;
  /** The number of records of a page. */
  readonly size: number;
  /** Pages in flight at once. */
  readonly concurrency: number;
}

/**
 * Reads a whole table through the SDK in a process of its own, and then by the database's own
 * export of the same JSON.
 */
export async function measureFullRead(
  database: BenchDatabase,
  rows: number,
  { origin, token }: Service,
): Promise<FullRead> {
  const input: ReadAllInput = { origin, token, model: tableName(rows), size: 1000, concurrency: 8 };
  const reader = await startChild('./read-all-process', import.meta.url, input);
  const sdk = await timed(rows, async () => Number(await reader.ask('read')));
  await reader.stop();
  const command = await database.exportCommand(rows);
  return {
    database: database.name,
    rows,
    sdk,
    export: command && (await timed(rows, () => countLines(command))),
  };
}

/** Rows per second; a read that loses rows has no speed. */
async function timed(rows: number, read: () => Promise<number>): Promise<number> {
  const started = performance.now();
  const count = await read();
  if (count !== rows) throw new Error(`A full read brought ${count} of ${rows} rows.`);
  return count / ((performance.now() - started) / 1000);
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
