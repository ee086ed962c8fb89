import type { Costs } from './costs.ts';

/** What is simulated: machines, data and callers. */
export interface System {
  /** Processes of the service, with one core each. */
  readonly processes: number;
  /** Database servers that answer reads, with so many cores each. */
  readonly databases: number;
  readonly coresOfDatabase: number;
  /** Records of each list. */
  readonly rows: number;
  /** Different lists: a table with a filter and an order. The n-th is asked for 1/n times. */
  readonly lists: number;
  /** The share of requests for the first page of a list; others are for pages anywhere in it. */
  readonly firstPages: number;
  readonly requestsPerSecond: number;
  /** Commits to the tables of the lists. Each ends what was kept of replies. */
  readonly writesPerSecond: number;
  /** How many replies a process keeps. */
  readonly keptReplies: number;
  /** How many keys a page index has at most. */
  readonly indexKeys: number;
  readonly costs: Costs;
}

/** The step of a page index is at least this. */
const SHORTEST_STEP = 100;

/** How many records are from one key of a page index to the next. */
export function stepOf({ rows, indexKeys }: Pick<System, 'rows' | 'indexKeys'>): number {
  return Math.max(SHORTEST_STEP, Math.ceil(rows / indexKeys));
}
