// How long a caller waits while another one sends 256 slow queries at a time:
// `pnpm --filter @proj/bench fairness [rows] [seconds] [rounds]`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { type LoadName, LOADS, random, send } from './fairness-load.ts';
import { Latencies } from './latencies.ts';
import { type Service, startService } from './subjects/service.ts';
import { COLUMNS, tableName } from './tables/bench-database.ts';
import { openTables } from './tables/open-tables.ts';

const [rows = 1_000_000, seconds = 5, rounds = 3] = process.argv.slice(2).map(Number);

/** The tokens of the caller that is measured and of the other one. */
const TOKENS = ['normal', 'unfair'] as const;

/** Between two queries of the caller that is measured, in milliseconds. */
const PAUSE_MS = 20;

/** The other caller's load runs so long before anything is measured, in milliseconds. */
const WARM_UP_MS = 2000;

const PHASES: readonly (LoadName | 'alone')[] = ['alone', ...(Object.keys(LOADS) as LoadName[])];

/** Queries like those of a table that somebody looks at: pages near its start. */
async function measure(url: string, latencies: Latencies): Promise<void> {
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const page = { page: 1 + random(100), size: 10 + random(40) };
    const started = performance.now();
    const status = await send(url, TOKENS[0], {
      query_model: tableName(rows),
      query_attributes: COLUMNS,
      page,
    });
    if (status !== 200) throw new Error(`A query was answered with ${status}.`);
    latencies.record(performance.now() - started);
    await sleep(PAUSE_MS);
  }
}

function startLoad(load: LoadName, url: string): ChildProcess {
  return fork(fileURLToPath(new URL('fairness-load.js', import.meta.url)), [
    load,
    url,
    TOKENS[1],
    String(rows),
  ]);
}

async function measurePhase(
  phase: LoadName | 'alone',
  service: Service,
  latencies: Latencies,
): Promise<void> {
  const url = `${service.origin}/api/v1/dynamic/query`;
  const load = phase === 'alone' ? undefined : startLoad(phase, url);
  await sleep(WARM_UP_MS);
  await measure(url, latencies);
  if (load === undefined) return;
  load.kill('SIGKILL');
  await once(load, 'exit');
  await sleep(WARM_UP_MS);
}

for (const name of ['postgres', 'sqlite'] as const) {
  const database = await openTables(name, undefined);
  await database.createTable(rows);
  const service = await startService({ database, tables: [rows], tokens: TOKENS });
  const measured = new Map(PHASES.map((phase) => [phase, new Latencies()]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [phase, latencies] of measured) await measurePhase(phase, service, latencies);
    }
  } finally {
    await service.stop();
    await database.close();
  }
  const alone = measured.get('alone')?.quantile(0.99) ?? Number.NaN;
  for (const [phase, latencies] of measured) {
    const [p50 = Number.NaN, p99 = Number.NaN] = [
      latencies.quantile(0.5),
      latencies.quantile(0.99),
    ];
    const figures =
      `${latencies.total} queries, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
      `${(p99 / alone).toFixed(1)} times alone`;
    process.stdout.write(`${name} ${phase}: ${figures}\n`);
  }
}
