import { createClient } from '@proj/client';
import type { ExportFormatName } from '@proj/contract';

import type { Comparison } from './comparison.ts';
import { COLUMNS, tableName } from './databases/database.ts';
import { withTable } from './databases/open.ts';
import { median } from './median.ts';
import { countLines, rateOf } from './pages/full-read.ts';
import type { PairSubjects } from './pairs/pair.ts';
import { usageOf } from './processes/usage.ts';
import { powerOfTen } from './scenarios.ts';
import { withService } from './subjects/service.ts';
import { startWriter } from './writers/writer.ts';

const ROUNDS = 3;

/** How often the memory of the service is looked at, in milliseconds. */
const SAMPLE_MS = 100;

/** An export may take so long, in milliseconds. */
const LONGEST_MS = 3_600_000;

export interface ExportsOptions extends Comparison<'databases' | 'rows' | 'writes'> {
  /** In which forms, one after the other. */
  readonly forms: readonly ExportFormatName[];
}

/**
 * Exports a table by the service and by the database's own program in turns, and prints for each
 * form how their rates compare, and how much memory the service took while it exported.
 */
export async function runExports(options: ExportsOptions): Promise<void> {
  const { databases, forms, rows, writes, print } = options;
  const settings = { limits: { export_timeout_ms: LONGEST_MS } };
  for (const name of databases) {
    await withTable(name, rows, (database) =>
      withService({ database, tables: [rows], settings }, async (service) => {
        const writer =
          writes > 0 ? await startWriter({ database, rows, perSecond: writes }) : undefined;
        try {
          for (const form of forms) {
            const text = await compare(form, rows, { database, service });
            print(`${name}, ${powerOfTen(rows)} rows, ${writes} writes/s, ${form}: ${text}`);
          }
        } finally {
          await writer?.stop();
        }
      }),
    );
  }
}

async function compare(
  format: ExportFormatName,
  rows: number,
  { database, service }: PairSubjects,
): Promise<string> {
  const { origin: baseUrl, token } = service;
  const client = createClient({ baseUrl, token, timeoutMs: LONGEST_MS });
  const rates = { service: [] as number[], database: [] as number[] };
  const memory: number[] = [];
  const sample = (): void => void memory.push(usageOf(service.pid)?.rssBytes ?? NaN);
  const command = await database.exportCommand(rows);
  for (let round = 0; round < ROUNDS; round++) {
    const watch = setInterval(sample, SAMPLE_MS);
    const rate = rateOf(rows, async () => {
      const list = { model: tableName(rows), attributes: COLUMNS };
      const { total, body } = await client.exportFile(list, { format });
      await body.pipeTo(new WritableStream());
      return Number(total);
    });
    rates.service.push(await rate.finally(() => clearInterval(watch)));
    // An export of a short table ends before the first look.
    sample();
    if (command !== undefined) rates.database.push(await rateOf(rows, () => countLines(command)));
  }
  const [ours, theirs] = [median(rates.service), median(rates.database)];
  const compared =
    command === undefined
      ? 'and no program of the database'
      : `${(ours / theirs).toFixed(2)} of the database's own export`;
  return `${Math.round(ours)} rows/s, ${compared}; ${memoryText(memory)}`;
}

/** The service begins with less than it takes at work, so that the first tenth is left out. */
function memoryText(samples: readonly number[]): string {
  const used = samples.slice(Math.floor(samples.length / 10));
  const [least, most] = [Math.min(...used), Math.max(...used)].map((bytes) => bytes / 2 ** 20);
  return `the service and its readers had ${least?.toFixed(0)} to ${most?.toFixed(0)} MiB`;
}
