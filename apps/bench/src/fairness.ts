import { setTimeout as sleep } from 'node:timers/promises';

import { API_PATHS } from '@proj/contract';

import type { Comparison } from './comparison.ts';
import { tableName } from './databases/database.ts';
import { withTable } from './databases/open.ts';
import { Latencies } from './load/latencies.ts';
import { timeOf } from './median.ts';
import { startChild } from './processes/child.ts';
import { type Repeated, repeatedLoad } from './subjects/requests.ts';
import { ask, queryBody } from './subjects/server.ts';
import { type Service, withService } from './subjects/service.ts';

interface FairnessOptions extends Comparison<'rows' | 'seconds' | 'rounds'> {
  /** Some of {@link UNFAIR}. */
  readonly loads: readonly string[];
}

/** What another caller sends, and over how many connections. */
interface Unfair extends Repeated {
  readonly connections: number;
}

const FIRST_PAGE = { page: 1, size: 10 };

/** So many values of a filter, each so long, are 40 kB together. */
const MANY_VALUES = { count: 1000, length: 37 };

/** Slow queries, each of them a new one. */
const slow = (body: () => string): Unfair => ({ connections: 256, body });

/** The same request again and again, whose reply is kept. */
const repeated = (body: string, how: Partial<Repeated> = {}): Unfair => {
  return { connections: 64, body, ...how };
};

function filtered(attribute: string, op: string, value: unknown): object {
  return { query_filter: { attribute, op, value } };
}

const LOADS: Readonly<Record<string, (rows: number) => Unfair>> = {
  'deep pages': (rows) =>
    slow(() => {
      const page = { page: Math.floor(rows / 200) + random(rows / 200), size: 100 };
      return queryBody(rows, page, filtered('id', 'gt', String(random(rows / 10))));
    }),
  icontains: (rows) =>
    slow(() => {
      const page = { page: 1, size: 100 };
      return queryBody(rows, page, filtered('name', 'icontains', `M ${random(rows)}x`));
    }),
  'small bodies': (rows) => repeated(queryBody(rows, FIRST_PAGE)),
  'large bodies': (rows) =>
    repeated(queryBody(rows, FIRST_PAGE, filtered('name', 'in', manyValues()))),
  '304s': (rows) => repeated(queryBody(rows, FIRST_PAGE), { method: 'QUERY', holdsReply: true }),
  catalogues: () => repeated('', { method: 'GET', path: API_PATHS.models }),
  facets: (rows) => {
    const facets = [{ attribute: 'flag', values: 20 }];
    const body = JSON.stringify({ query_model: tableName(rows), query_facets: facets });
    return repeated(body, { path: API_PATHS.facets });
  },
};

/** What the other caller can send. */
export const UNFAIR = Object.keys(LOADS);

/** The tokens of the caller that is measured and of the other one. */
const [NORMAL, OTHER] = ['normal', 'unfair'] as const;

/** Between two queries of the caller that is measured, in milliseconds. */
const PAUSE_MS = 20;

/** The other caller's load runs so long before anything is measured, in milliseconds. */
const WARM_UP_MS = 2000;

/** Longer than anything is measured. */
const LOAD_SECONDS = 3600;

const ALONE = 'alone';

/** Measures how long a caller waits while another one is busy, beside how long it waits alone. */
export async function runFairness(options: FairnessOptions): Promise<void> {
  const { rows, print } = options;
  for (const name of ['postgres', 'sqlite'] as const) {
    await withTable(name, rows, (database) =>
      withService({ database, tables: [rows], tokens: [NORMAL, OTHER] }, async (service) => {
        for (const line of await measureLoads(service, options)) print(`${name} ${line}`);
      }),
    );
  }
}

async function measureLoads(service: Service, options: FairnessOptions): Promise<string[]> {
  const measured = new Map([ALONE, ...options.loads].map((load) => [load, new Latencies()]));
  for (let round = 0; round < options.rounds; round++) {
    for (const [load, latencies] of measured) {
      const endLoad = await startLoad(LOADS[load]?.(options.rows), service);
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
  service: Service,
  latencies: Latencies,
  { rows, seconds }: FairnessOptions,
): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const body = queryBody(rows, { page: 1 + random(100), size: 10 + random(40) });
    latencies.record(await timeOf(() => ask(service, body, { token: NORMAL })));
    await sleep(PAUSE_MS);
  }
}

/** Starts what the other caller sends, in a process of its own; the result ends it. */
async function startLoad(
  unfair: Unfair | undefined,
  service: Service,
): Promise<() => Promise<void>> {
  if (unfair === undefined) return async () => undefined;
  const { connections } = unfair;
  const load = await repeatedLoad({ ...service, token: OTHER }, unfair);
  const loader = await startChild('./load/load-process', import.meta.url, null);
  const share = { turn: { number: 0, of: 1 }, connections, seconds: LOAD_SECONDS };
  const ended = loader.ask(load(share)).catch(() => undefined);
  return async () => {
    await loader.stop();
    await ended;
  };
}

function quantiles(latencies = new Latencies()): [p50: number, p99: number] {
  return [latencies.quantile(0.5) ?? Number.NaN, latencies.quantile(0.99) ?? Number.NaN];
}

function manyValues(): readonly string[] {
  return Array.from({ length: MANY_VALUES.count }, (_, index) =>
    String(index).padStart(MANY_VALUES.length, 'x'),
  );
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
