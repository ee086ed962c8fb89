import type { ExportFormatName } from '@proj/contract';

import { startChild } from '../processes/child.ts';
import { usageOf } from '../processes/usage.ts';
import { countLines } from '../pages/full-read.ts';
import { median } from '../median.ts';
import { type DatabaseName, powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';
import { withTable } from '../tables/open-tables.ts';
import { startWriter } from '../writers/writer.ts';
import type { ExportInput } from './export-process.ts';

const ROUNDS = 3;

/** How often the memory of the service is looked at, in milliseconds. */
const SAMPLE_MS = 100;

/** What is exported, and how. */
export interface ExportsOptions {
  readonly databases: readonly DatabaseName[];
  /** In which forms, one after the other. */
  readonly forms: readonly ExportFormatName[];
  /** The length of the table. */
  readonly rows: number;
  /** Transactions per second of another connection; 0 for none. */
  readonly writes: number;
  readonly print: (line: string) => void;
}

/**
 * Exports a table by the service and by the database's own program in turns, and prints for each
 * form how their rates compare, and how much memory the service took while it exported.
 */
export async function runExports({ databases, forms, ...run }: ExportsOptions): Promise<void> {
  const settings = { limits: { export_timeout_ms: 3_600_000 } };
  for (const name of databases) {
    await withTable(name, run.rows, (database) =>
      withService({ database, tables: [run.rows], settings }, async (service) => {
        for (const form of forms) await compare({ database, service, form, ...run });
      }),
    );
  }
}

interface Comparison extends Omit<ExportsOptions, 'databases' | 'forms'> {
  readonly form: ExportFormatName;
  readonly database: BenchDatabase;
  readonly service: Service;
}

async function compare({ database, service, form, ...run }: Comparison): Promise<void> {
  const { rows, writes, print } = run;
  const { origin, token } = service;
  const input: ExportInput = { origin, token, model: tableName(rows) };
  const reader = await startChild('./export-process', import.meta.url, input);
  const writer = writes > 0 ? await startWriter(database, rows, { perSecond: writes }) : undefined;
  try {
    const rates = { service: [] as number[], database: [] as number[] };
    const memory: number[] = [];
    const sample = (): void => {
      const usage = usageOf(service.pid);
      if (usage !== undefined) memory.push(usage.rssBytes);
    };
    for (let round = 0; round < ROUNDS; round++) {
      const watch = setInterval(sample, SAMPLE_MS);
      rates.service.push(
        await rateOf(async () => Number(await reader.ask(form))).finally(() =>
          clearInterval(watch),
        ),
      );
      // An export of a short table ends before the first look.
      sample();
      const command = await database.exportCommand(rows);
      if (command !== undefined) rates.database.push(await rateOf(() => countLines(command)));
    }
    const label = `${database.name}, ${powerOfTen(rows)} rows, ${writes} writes/s, ${form}`;
    print(`${label}: ${ratesText(rates)}; ${memoryText(memory)}`);
  } finally {
    await writer?.stop();
    await reader.stop();
  }
}

/** Rows per second. */
async function rateOf(read: () => Promise<number>): Promise<number> {
  const started = performance.now();
  return (await read()) / ((performance.now() - started) / 1000);
}

interface Rates {
  readonly service: readonly number[];
  readonly database: readonly number[];
}

function ratesText({ service, database }: Rates): string {
  const own = `${Math.round(median(service))} rows/s`;
  if (database.length === 0) return `${own}, and no program of the database`;
  return `${own}, ${(median(service) / median(database)).toFixed(2)} of the database's own export`;
}

/** The service begins with less than it takes at work, so that the first tenth is left out. */
function memoryText(samples: readonly number[]): string {
  const used = samples.slice(Math.floor(samples.length / 10));
  if (used.length === 0) return 'memory unknown';
  const [least, most] = [Math.min(...used), Math.max(...used)].map((bytes) => bytes / 2 ** 20);
  return `the service and its readers had ${least?.toFixed(0)} to ${most?.toFixed(0)} MiB`;
}
