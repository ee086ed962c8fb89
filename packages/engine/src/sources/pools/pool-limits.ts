import type { PoolLimits } from './connection-pool.ts';

/** What one process alone takes of a database server. */
export const SERVER_LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** Connections beside those for pages: for checks, page indexes, and to stop statements. */
const OTHERS = 5;

/** Connections on which base snapshots are asked. */
export const ASKING_BASES = 2;

/**
 * A change feed has one connection that asks and one that follows, two that hold base snapshots,
 * and those on which these are asked.
 */
const OF_A_FEED = 4 + ASKING_BASES;

/** How many whole lists one process alone reads at once, where the settings do not say. */
const EXPORTS = 2;

/** A whole list may wait longer than a page. */
const EXPORT_WAIT_MS = 10_000;

/** The pool of connections, or readers of a file, that whole lists are read on. */
export function exportLimits(exports = EXPORTS, processes?: number): PoolLimits {
  const waiting = { maxWaiting: 8 * exports, maxWaitMs: EXPORT_WAIT_MS };
  return shareOf({ connections: exports, ...waiting, keepsOne: true }, processes);
}

/**
 * How many connections to a database server all processes of a service open at most together.
 *
 * @param use.exports how many whole lists are read at once, over all processes
 */
export function mostConnections(
  processes: number,
  { follows, exports }: { readonly follows: boolean; readonly exports: number },
): number {
  const { connections } = shareOf(SERVER_LIMITS, processes);
  const pages = connections + slowPartOf(connections);
  const lists = exports === 0 ? 0 : exportLimits(exports, processes).connections;
  return processes * (pages + lists + OTHERS + (follows ? OF_A_FEED : 0));
}

/** How many connections slow statements have beside those of the quick ones. */
export function slowPartOf(connections: number): number {
  return Math.max(1, Math.floor(connections / 5));
}

/** The share of one of several processes, which has a connection of its own in any case. */
export function shareOf(limits: PoolLimits, processes = 1): PoolLimits {
  return { ...limits, connections: Math.ceil(limits.connections / processes) };
}
