import { setTimeout as sleep } from 'node:timers/promises';

import { API_PATHS } from '@proj/contract';
import { type PostgresServer, startPostgres } from '@proj/test-servers';
import { Client } from 'pg';

import { Latencies } from '../load/latencies.ts';
import { type Service, withService } from '../subjects/service.ts';

/** What is measured. */
export interface DatabasesOptions {
  /** The length of the table of each database. */
  readonly rows: number;
  /** For each state in each round. */
  readonly seconds: number;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** Databases that answer all the time, of one server. */
const OTHERS = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'] as const;

/** Each has a server of its own. */
const STOPPED = 'stopped';
const FROZEN = 'frozen';

/** Six databases share a server. */
const SERVER = { max_connections: '200', log_statement: 'none' };

const start = (): Promise<PostgresServer> => startPostgres({ settings: SERVER });

/** Between two queries of a caller, in milliseconds. */
const PAUSE_MS = 10;

/** A state is left to itself so long before it is measured, in milliseconds. */
const WARM_UP_MS = 3000;

/**
 * Measures how long queries of six databases take while two others answer, and while one of the two
 * is stopped and the other one frozen, in turns. All eight are asked all the time.
 */
export async function runDatabases(options: DatabasesOptions): Promise<void> {
  const servers = [await start(), await start(), await start()] as const;
  const [all, stopped, frozen] = servers;
  try {
    const urls = new Map([
      [STOPPED, stopped.url],
      [FROZEN, frozen.url],
    ]);
    for (const name of OTHERS) urls.set(name, await createDatabase(all, name));
    for (const url of urls.values()) await fill(url, options.rows);
    const databases = Object.fromEntries(
      [...urls].map(([name, url]) => [name, { url, expose: 'all' }]),
    );
    const settings = { databases, models: {}, limits: { query_timeout_ms: 5000 } };
    await withService({ tables: [], settings }, (service) =>
      measureStates(service, { stopped, frozen }, options),
    );
  } finally {
    process.kill(frozen.pid, 'SIGCONT');
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  await server.client(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  return url.href;
}

async function fill(url: string, rows: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create table items (id bigint primary key, name text not null)');
  const items = "select i, 'item ' || i from generate_series(1, $1::bigint) i";
  await client.query(`insert into items ${items}`, [rows]);
  await client.query('analyze items');
  await client.end();
}

interface Away {
  readonly stopped: PostgresServer;
  readonly frozen: PostgresServer;
}

async function measureStates(
  service: Service,
  { stopped, frozen }: Away,
  { rows, seconds, rounds, print }: DatabasesOptions,
): Promise<void> {
  const [before, away] = [new Latencies(), new Latencies()];
  const load = { service, pages: Math.floor(rows / 20), seconds };
  for (let round = 0; round < rounds; round++) {
    await sleep(WARM_UP_MS);
    await measure(before, load);
    await stopped.halt();
    process.kill(frozen.pid, 'SIGSTOP');
    await sleep(WARM_UP_MS);
    await measure(away, load);
    process.kill(frozen.pid, 'SIGCONT');
    await stopped.restart();
  }
  for (const [state, latencies] of Object.entries({ before, away }))
    print(`${state}: ${latencies.total} queries, ${ms(latencies, 0.5)}, ${ms(latencies, 0.99)}`);
  for (const quantile of [0.5, 0.99]) {
    const ratio = (away.quantile(quantile) ?? 0) / (before.quantile(quantile) ?? 1);
    print(`p${quantile * 100}, away ÷ before: ${ratio.toFixed(2)}`);
  }
}

interface Load {
  readonly service: Service;
  readonly pages: number;
  readonly seconds: number;
}

/** One caller for each database; only those of the others are measured. */
async function measure(latencies: Latencies, load: Load): Promise<void> {
  const until = performance.now() + load.seconds * 1000;
  const ask = async (database: string, isMeasured: boolean): Promise<void> => {
    while (performance.now() < until) {
      const started = performance.now();
      const status = await query(database, load);
      if (isMeasured && status !== 200) throw new Error(`${database}: ${status}`);
      if (isMeasured) latencies.record(performance.now() - started);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([
    ...OTHERS.map((database) => ask(database, true)),
    ask(STOPPED, false),
    ask(FROZEN, false),
  ]);
}

async function query(database: string, { service, pages }: Load): Promise<number> {
  const body = {
    query_model: `${database}.items`,
    query_attributes: ['id', 'name'],
    page: { page: 1 + Math.floor(Math.random() * pages), size: 20 },
  };
  const reply = await fetch(`${service.origin}/${API_PATHS.query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await reply.text();
  return reply.status;
}

function ms(latencies: Latencies, quantile: number): string {
  return `p${quantile * 100} ${(latencies.quantile(quantile) ?? Number.NaN).toFixed(1)} ms`;
}
