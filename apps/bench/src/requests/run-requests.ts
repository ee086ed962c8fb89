import { type Entrant, loadInTurns, ratioText } from '../in-turns.ts';
import { Latencies } from '../latencies.ts';
import type { Load, LoadResult } from '../load.ts';
import { type Child, startChild } from '../processes/child.ts';
import { type DatabaseName, powerOfTen } from '../scenarios.ts';
import { type Service, startService } from '../subjects/service.ts';
import { COLUMNS, tableName } from '../tables/bench-database.ts';
import { openTables } from '../tables/open-tables.ts';
import { type BenchRequest, type RequestPair, requestPairs, viewName } from './request-pairs.ts';

const CONNECTIONS = 16;

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
  const loader = await startChild('../load-process', import.meta.url, null);
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
  const database = await openTables(name, undefined);
  try {
    await database.createTable(rows);
    await database.createView(viewName(rows), `select * from ${tableName(rows)}`);
    const service = await startService({
      database,
      tables: [],
      settings: { models: modelsOver(rows) },
    });
    try {
      for (const pair of requestPairs(rows)) {
        const ratios = await ratiosOf(pair, { service, loader, seconds });
        print(`${name}, ${powerOfTen(rows)} rows, ${pair.label} (${pair.goal}): ${ratios}`);
      }
    } finally {
      await service.stop();
    }
  } finally {
    await database.close();
  }
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

async function ratiosOf({ requests }: RequestPair, run: PairRun): Promise<string> {
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
  const bodies = Array.from({ length: CONNECTIONS }, () => [body]);
  const load: Omit<Load, 'seconds'> = { url, method, headers, bodies, again: true };
  return {
    pid,
    load: async (_turn, seconds) => {
      const { counts, ...outcome } = (await loader.ask({ ...load, seconds })) as LoadResult;
      return { ...outcome, latencies: new Latencies(counts) };
    },
  };
}
