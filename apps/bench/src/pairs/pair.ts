import { API_PATHS } from '@proj/contract';

import type { BenchDatabase } from '../databases/open.ts';
import { median, timeOf } from '../median.ts';
import { ask } from '../subjects/server.ts';
import type { Service } from '../subjects/service.ts';

/** A request, and what it is held against. */
export interface Pair {
  readonly label: string;
  /** How many times as long as the other it is to take at most. */
  readonly goal: number;
  /** Relative to the base URL. Default: that of queries. */
  readonly path?: string;
  /** The members of the request, for records from an id on. */
  readonly members: Members;
  /**
   * Another request for the same records, or the statements of one's own that read the same of
   * those records, as `o`, that meet a condition.
   */
  readonly other: Members | ((condition: string) => readonly string[]);
  /** How a good reply ends. */
  readonly end?: string;
}

interface Members {
  readonly query_model: string;
  readonly query_filter?: object;
  readonly [name: string]: unknown;
}

/** The first ones warm both up; lists that are read at once take as many as go into a second. */
const ROUNDS = { least: 6, most: 200, warm: 0.2, milliseconds: 1000 };

export interface PairSubjects {
  readonly database: BenchDatabase;
  readonly service: Service;
}

/**
 * Asks the service for both of a pair in turns, or the database for one's own statements, and tells
 * how their times compare. Each list is asked for once, so that no kept reply is sent.
 */
export async function pairText(pair: Pair, { database, service }: PairSubjects): Promise<string> {
  const { members, other } = pair;
  const times = { own: [] as number[], other: [] as number[] };
  const { least: fewest, most, warm, milliseconds } = ROUNDS;
  const end = performance.now() + milliseconds;
  for (let round = 0; round < fewest || (round < most && performance.now() < end); round++) {
    // Every row has a larger id: another list of the same records.
    const least = -round;
    times.own.push(await timeOf(() => askFrom(service, members, { ...pair, least })));
    times.other.push(
      await timeOf(async () => {
        if (typeof other !== 'function')
          return askFrom(service, other, { ...pair, least: least - most });
        for (const statement of other(`o.id >= ${least}`)) await database.run(statement);
      }),
    );
  }
  const first = Math.ceil(times.own.length * warm);
  const [own, beside] = [median(times.own.slice(first)), median(times.other.slice(first))];
  return `${(own / beside).toFixed(2)} (${own.toFixed(1)} against ${beside.toFixed(1)} ms)`;
}

/** @throws {Error} when the service does not answer the request */
async function askFrom(
  service: Service,
  { query_filter: filter, ...members }: Members,
  { path = API_PATHS.query, end = '', least }: Pick<Pair, 'path' | 'end'> & { least: number },
): Promise<void> {
  const all = { attribute: 'id', op: 'gte', value: least };
  const query_filter = filter === undefined ? all : { and: [all, filter] };
  const { text } = await ask(service, JSON.stringify({ ...members, query_filter }), { path });
  if (!text.endsWith(end)) throw new Error(`answered with ${text.slice(-120)}`);
}
