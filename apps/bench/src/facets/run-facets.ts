import { API_PATHS } from '@proj/contract';

import { median } from '../median.ts';
import { type DatabaseName, powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';
import { withTable } from '../tables/open-tables.ts';
import { type FacetPair, facetPairs } from './facet-pairs.ts';

/** The first round warms both up. */
const ROUNDS = 6;

/** What facets are to take at most, as a multiple of the time of the database's own statements. */
const GOAL = 1.2;

/** Over what facets are compared. */
export interface FacetsOptions {
  readonly databases: readonly DatabaseName[];
  /** The length of the table. */
  readonly rows: number;
  readonly print: (line: string) => void;
}

/**
 * Asks the service for facets, and the database for a `group by` of one's own, in turns, and prints
 * how their times compare. Each list is asked for once, so that no kept reply is sent.
 */
export async function runFacets({ databases, rows, print }: FacetsOptions): Promise<void> {
  for (const name of databases) {
    await withTable(name, rows, (database) =>
      withService({ database, tables: [rows] }, async (service) => {
        for (const pair of facetPairs(rows, name)) {
          const times = timesOf(pair, { database, service, rows });
          const label = `${name}, ${powerOfTen(rows)} rows, ${pair.label}`;
          // One facet that takes too long is a result, and no reason to leave out the others.
          const text = await times.then(timesText, (error: Error) => error.message);
          print(`${label} (time at most ${GOAL}): ${text}`);
        }
      }),
    );
  }
}

interface Compared {
  readonly database: BenchDatabase;
  readonly service: Service;
  readonly rows: number;
}

/** In milliseconds. */
interface Times {
  readonly service: readonly number[];
  readonly database: readonly number[];
}

async function timesOf(
  { facet, statements }: FacetPair,
  { database, service, rows }: Compared,
): Promise<Times> {
  const times = { service: [] as number[], database: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.service.push(await timed(() => ask(service, rows, { facet, least: -round })));
    times.database.push(
      await timed(async () => {
        for (const statement of statements(-round)) await database.run(statement);
      }),
    );
  }
  return { service: times.service.slice(1), database: times.database.slice(1) };
}

/** @throws {Error} when the facet is not of all records */
async function ask(
  { origin, token }: Service,
  rows: number,
  { facet, least }: { readonly facet: object; readonly least: number },
): Promise<void> {
  const reply = await fetch(`${origin}/${API_PATHS.facets}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query_model: tableName(rows),
      query_filter: { attribute: 'id', op: 'gte', value: least },
      query_facets: [facet],
    }),
  });
  const text = await reply.text();
  if (!reply.ok || !text.endsWith(`"total":"${rows}"}`))
    throw new Error(`answered with ${reply.status}: ${text.slice(0, 120)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function timesText({ service, database }: Times): string {
  const [own, other] = [median(service), median(database)];
  return `${(own / other).toFixed(2)} (${own.toFixed(0)} against ${other.toFixed(0)} ms)`;
}
