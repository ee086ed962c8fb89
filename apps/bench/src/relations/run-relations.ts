import { API_PATHS } from '@proj/contract';

import { median } from '../median.ts';
import { type DatabaseName, powerOfTen } from '../scenarios.ts';
import { type Service, withService } from '../subjects/service.ts';
import type { BenchDatabase } from '../tables/bench-database.ts';
import { openTables } from '../tables/open-tables.ts';
import { type RelationPair, relationPairs } from './relation-pairs.ts';
import { createShop, shopModels } from './shop.ts';

/** The first ones warm both up; lists that are read at once take as many as go into a second. */
const ROUNDS = { least: 6, most: 200, warm: 0.2, milliseconds: 1000 };

/** Over what lists along relations are compared. */
export interface RelationsOptions {
  readonly databases: readonly DatabaseName[];
  /** How many orders there are. */
  readonly rows: number;
  readonly print: (line: string) => void;
}

/**
 * Asks the service for lists along relations and for groups, in turns with the same lists without
 * them or with statements of one's own, and prints how their times compare. Each list is asked for
 * once, so that no kept reply is sent.
 */
export async function runRelations({ databases, rows, print }: RelationsOptions): Promise<void> {
  for (const name of databases) {
    const database = await openTables(name, undefined);
    try {
      await createShop(database, rows);
      const settings = { expose: 'all', models: shopModels(name) };
      await withService({ database, tables: [], settings }, async (service) => {
        for (const pair of relationPairs(name, rows)) {
          const text = await compared(pair, { database, service });
          const label = `${name}, ${powerOfTen(rows)} orders, ${pair.label}`;
          print(`${label} (time at most ${pair.goal}): ${text}`);
        }
      });
    } finally {
      await database.close();
    }
  }
}

interface Subjects {
  readonly database: BenchDatabase;
  readonly service: Service;
}

async function compared(
  { members, other }: RelationPair,
  { database, service }: Subjects,
): Promise<string> {
  const times = { own: [] as number[], other: [] as number[] };
  const { least: fewest, most, warm, milliseconds } = ROUNDS;
  const end = performance.now() + milliseconds;
  for (let round = 0; round < fewest || (round < most && performance.now() < end); round++) {
    // Every row has a larger id: another list of the same records.
    const least = -round;
    times.own.push(await timed(() => ask(service, members, least)));
    times.other.push(
      await timed(async () => {
        if (typeof other !== 'function') return ask(service, other, least - most);
        for (const statement of other(`o.id >= ${least}`)) await database.run(statement);
      }),
    );
  }
  const first = Math.ceil(times.own.length * warm);
  const [own, beside] = [median(times.own.slice(first)), median(times.other.slice(first))];
  return `${(own / beside).toFixed(2)} (${own.toFixed(1)} against ${beside.toFixed(1)} ms)`;
}

/** @throws {Error} when the service does not answer the request */
async function ask({ origin, token }: Service, members: object, least: number): Promise<void> {
  const { filter, ...others } = members as { readonly filter?: object };
  const all = { attribute: 'id', op: 'gte', value: least };
  const body = {
    query_model: 'orders',
    ...others,
    query_filter: filter === undefined ? all : { and: [all, filter] },
  };
  const reply = await fetch(`${origin}/${API_PATHS.query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`answered with ${reply.status}: ${text.slice(0, 200)}`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
