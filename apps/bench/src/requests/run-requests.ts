import { setTimeout as sleep } from 'node:timers/promises';

import { type Entrant, loadInTurns, ratioText } from '../load/in-turns.ts';
import { Latencies } from '../load/latencies.ts';
import type { Load, LoadResult } from '../load/load.ts';
import { type Child, startChild } from '../processes/child.ts';
import { type DatabaseName, powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';
import { withTable } from '../tables/open-tables.ts';
import { type BenchRequest, type RequestPair, requestPairs, viewName } from './request-pairs.ts';

const CONNECTIONS = 16;

/** So many requests a connection sends in a turn without sending one twice. */
const BODIES = 500;

/** An index may take so long to be built, in milliseconds. */
const INDEX_MS = 60_000;

/** So many pages in a row were found as quickly as an index leads to them, in milliseconds. */
const QUICK_PAGES = 20;
const QUICK_MS = 20;
const PAUSE_MS = 50;

/** What is compared, and how long. */
export interface RequestsOptions {
  readonly databases: readonly DatabaseName[];
  /** The length of the table. */
  readonly rows: number;
  /** For each request of a pair, all rounds together. */
  readonly seconds: number;
  readonly print: (line: string) => void;
}

/**
 * Sends the two requests of each pair to one service in turns, and prints how the first one's rate,
 * median latency and processor time compare with those of the second one.
 */
export async function runRequests({ databases, ...run }: RequestsOptions): Promise<void> {
  const loader = await startChild('../load/load-process', import.meta.url, null);
  try {
    for (const database of databases) await runOver(database, run, loader);
  } finally {
    await loader.stop();
  }
}

async function runOver(
  name: DatabaseName,
  { rows, seconds, print }: Omit<RequestsOptions, 'databases'>,
  loader: Child,
): Promise<void> {
  const settings = { models: modelsOver(rows) };
  await withTable(name, rows, async (database) => {
    await database.createView(viewName(rows), `select * from ${tableName(rows)}`);
    await withService({ database, tables: [], settings }, async (service) => {
      for (const pair of requestPairs(rows)) {
        const ratios = await ratiosOf(pair, { service, loader, seconds });
        print(`${name}, ${powerOfTen(rows)} rows, ${pair.label} (${pair.goal}): ${ratios}`);
      }
    });
  });
}

/** The key of a view has to be declared. SQLite says nothing of some columns. */
function modelsOver(rows: number): Record<string, object> {
  const attributes = {
    ...Object.fromEntries(COLUMNS.map((name) => [name, {}])),
    created_at: { type: 'timestamp' },
  };
  const model = { attributes, max_page_size: 1000 };
  return { [tableName(rows)]: model, [viewName(rows)]: { ...model, key: ['id'] } };
}

interface PairRun {
  readonly service: Service;
  readonly loader: Child;
  readonly seconds: number;
}

async function ratiosOf({ requests, needsIndex }: RequestPair, run: PairRun): Promise<string> {
  if (needsIndex === true) await buildIndex(requests[1], run);
  const entrants: Entrant[] = [];
  for (const request of requests) entrants.push(await entrantOf(request, run));
  return ratioText(await loadInTurns(entrants, run.seconds));
}

/** @throws {Error} when the reply is not the one that is to be measured */
async function entrantOf(request: BenchRequest, { service, loader }: PairRun): Promise<Entrant> {
  const { origin, pid, token } = service;
  const { method, path, body, status } = request;
  const url = `${origin}/${path}`;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
  };
  const ask = (): Promise<Response> => fetch(url, { method, headers, body });
  if (request.holdsReply === true)
    headers['if-none-match'] = (await ask()).headers.get('etag') ?? '';
  const reply = await ask();
  if (reply.status !== status)
    throw new Error(`${method} ${path} was answered with ${reply.status}: ${await reply.text()}`);
  const load: Omit<Load, 'seconds' | 'bodies'> = { url, method, headers, again: true };
  return {
    pid,
    load: async (turn, seconds) => {
      const bodies = bodiesOf(request, turn.number);
      const { counts, ...outcome } = (await loader.ask({ ...load, bodies, seconds })) as LoadResult;
      return { ...outcome, latencies: new Latencies(counts) };
    },
  };
}

/** For each connection. Kept replies would be sent to the second of two equal requests. */
function bodiesOf({ body, bodyAt }: BenchRequest, turn: number): string[][] {
  const first = (turn * CONNECTIONS + 1) * BODIES;
  return Array.from({ length: CONNECTIONS }, (_none, connection) =>
    bodyAt === undefined
      ? [body]
      : Array.from({ length: BODIES }, (_other, index) =>
          bodyAt(first + connection * BODIES + index),
        ),
  );
}

/** Asks for deep pages until they are found quickly, or for as long as an index may take. */
async function buildIndex(
  { path, bodyAt }: BenchRequest,
  { service: { origin, token } }: PairRun,
): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const until = performance.now() + INDEX_MS;
  for (let number = 0, quick = 0; quick < QUICK_PAGES && performance.now() < until; number++) {
    const asked = performance.now();
    await fetch(`${origin}/${path}`, { method: 'POST', headers, body: bodyAt?.(number) ?? '' });
    quick = performance.now() - asked < QUICK_MS ? quick + 1 : 0;
    await sleep(PAUSE_MS);
  }
}
