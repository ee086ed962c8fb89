import { median } from './median.ts';
import { type Child, startChild } from './processes/child.ts';
import { startBare } from './subjects/bare/bare-subject.ts';
import { httpSubject } from './subjects/http-subject.ts';
import { startService } from './subjects/service.ts';
import type { Subject } from './subjects/subject.ts';
import type { DatabaseName } from './scenarios.ts';
import type { BenchDatabase } from './tables/bench-database.ts';
import { withTable } from './tables/open-tables.ts';

/** How long a start takes until the first page is answered, in milliseconds: medians. */
interface StartUp {
  readonly database: DatabaseName;
  readonly service: number;
  /** Fastify and a driver, with one route that reads a page by OFFSET and counts. */
  readonly baseline: number;
}

const ROWS = 10_000;

interface StartUpOptions {
  readonly databases: readonly DatabaseName[];
  /** How often each is started. */
  readonly starts: number;
  readonly print: (line: string) => void;
}

/** Prints both times and their ratio for each database. */
export async function runStartUp({ databases, starts, print }: StartUpOptions): Promise<void> {
  const loader = await startChild('./load/load-process', import.meta.url, null);
  try {
    for (const name of databases) {
      await withTable(name, ROWS, async (database) => {
        print(lineOf(await measureStartUp(database, starts, loader)));
      });
    }
  } finally {
    await loader.stop();
  }
}

function lineOf({ database, service, baseline }: StartUp): string {
  const ratio = (service / baseline).toFixed(2);
  const [ours, bare] = [service, baseline].map((milliseconds) => `${milliseconds.toFixed(0)} ms`);
  return `${database}: service ${ours}, baseline route ${bare}, ratio ${ratio}`;
}

/** Starts the service and the baseline route in turns, and asks each for its first page. */
async function measureStartUp(
  database: BenchDatabase,
  starts: number,
  loader: Child,
): Promise<StartUp> {
  const services: number[] = [];
  const baselines: number[] = [];
  // The first of each is left out: it reads the programs from the disk.
  for (let round = 0; round <= starts; round++) {
    const service = await timed(async () => {
      const started = await startService({ database, tables: [ROWS] });
      return httpSubject({ name: 'service', ...started }, loader);
    });
    const baseline = await timed(() => startBare('bare-count', database, loader));
    if (round === 0) continue;
    services.push(service);
    baselines.push(baseline);
  }
  return { database: database.name, service: median(services), baseline: median(baselines) };
}

async function timed(start: () => Promise<Subject>): Promise<number> {
  const started = performance.now();
  const subject = await start();
  await subject.ask(ROWS, { page: 1, size: 10 });
  const milliseconds = performance.now() - started;
  await subject.stop();
  return milliseconds;
}
