import { setTimeout as sleep } from 'node:timers/promises';

import { API_PATHS } from '@proj/contract';

import { Latencies } from '../load/latencies.ts';
import { startChild } from '../processes/child.ts';
import { type Service, withService } from '../subjects/service.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';
import { withTable } from '../tables/open-tables.ts';
import { REPEATS, startRepeats } from './repeats.ts';
import { isLoad, LOADS, random, send, type UnfairInput } from './unfair-loads.ts';

/** What is measured. */
export interface FairnessOptions {
  readonly rows: number;
  /** For each load in each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Some of {@link UNFAIR}. */
  readonly loads: readonly string[];
  readonly print: (line: string) => void;
}

/** What the other caller can send: 256 slow queries at a time, or a request whose reply is kept. */
export const UNFAIR = Object.keys({ ...LOADS, ...REPEATS });

/** The tokens of the caller that is measured and of the other one. */
const TOKENS = ['normal', 'unfair'] as const;

/** Between two queries of the caller that is measured, in milliseconds. */
const PAUSE_MS = 20;

/** The other caller's load runs so long before anything is measured, in milliseconds. */
const WARM_UP_MS = 2000;

const ALONE = 'alone';

/** Measures how long a caller waits while another one is busy, beside how long it waits alone. */
export async function runFairness(options: FairnessOptions): Promise<void> {
  const { rows, print } = options;
  for (const name of ['postgres', 'sqlite'] as const) {
    await withTable(name, rows, (database) =>
      withService({ database, tables: [rows], tokens: TOKENS }, async (service) => {
        for (const line of await measureLoads(service, options)) print(`${name} ${line}`);
      }),
    );
  }
}

async function measureLoads(service: Service, options: FairnessOptions): Promise<string[]> {
  const measured = new Map([ALONE, ...options.loads].map((load) => [load, new Latencies()]));
  for (let round = 0; round < options.rounds; round++) {
    for (const [load, latencies] of measured) {
      const endLoad = await startLoad(load, service, options.rows);
      await sleep(WARM_UP_MS);
      await measure(service, latencies, options);
      await endLoad();
      if (load !== ALONE) await sleep(WARM_UP_MS);
    }
  }
  const [aloneP50, aloneP99] = quantiles(measured.get(ALONE));
  return [...measured].map(([load, latencies]) => {
    const [p50, p99] = quantiles(latencies);
    return (
      `${load}: ${latencies.total} queries, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `${(p50 / aloneP50).toFixed(1)} and ${(p99 / aloneP99).toFixed(1)} times alone`
    );
  });
}

/** Queries like those of a table that somebody looks at: pages near its start. */
async function measure(
  { origin }: Service,
  latencies: Latencies,
  { rows, seconds }: FairnessOptions,
): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const page = { page: 1 + random(100), size: 10 + random(40) };
    const query = { query_model: tableName(rows), query_attributes: COLUMNS, page };
    const started = performance.now();
    const status = await send(queryUrl(origin), TOKENS[0], query);
    if (status !== 200) throw new Error(`A query was answered with ${status}.`);
    latencies.record(performance.now() - started);
    await sleep(PAUSE_MS);
  }
}

/** Starts what the other caller sends; the result ends it. */
async function startLoad(
  load: string,
  { origin }: Service,
  rows: number,
): Promise<() => Promise<void>> {
  const repeated = REPEATS[load];
  if (repeated !== undefined) return startRepeats(repeated(rows), origin, TOKENS[1]);
  if (!isLoad(load)) return async () => undefined;
  const input: UnfairInput = { load, url: queryUrl(origin), token: TOKENS[1], rows };
  const caller = await startChild('./unfair-process', import.meta.url, input);
  const ended = caller.ask('send').catch(() => undefined);
  return async () => {
    await caller.stop();
    await ended;
  };
}

function queryUrl(origin: string): string {
  return `${origin}/${API_PATHS.query}`;
}

function quantiles(latencies = new Latencies()): [p50: number, p99: number] {
  return [latencies.quantile(0.5) ?? Number.NaN, latencies.quantile(0.99) ?? Number.NaN];
}
