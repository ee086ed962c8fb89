import type { PoolLimits } from './connection-pool.ts';

/** The connections of one process alone. */
export const SERVER_LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** For checks, page indexes and stopping statements. */
const OTHERS = 5;

/** Connections on which base snapshots are asked. */
export const ASKING_BASES = 2;

/** One that asks, one that follows, two that hold base snapshots, and those that query them. */
const OF_A_FEED = 4 + ASKING_BASES;

/** Default of whole lists that are read at once. */
const EXPORTS = 2;

const EXPORT_WAIT_MS = 10_000;

export function exportLimits(exports = EXPORTS, processes?: number): PoolLimits {
  const waiting = { maxWaiting: 8 * exports, maxWaitMs: EXPORT_WAIT_MS };
  return shareOf({ connections: exports, ...waiting, keepsOne: true }, processes);
}

export function mostConnections(
  processes: number,
  { follows, exports }: { readonly follows: boolean; readonly exports: number },
): number {
  const { connections } = shareOf(SERVER_LIMITS, processes);
  const pages = connections + slowPartOf(connections);
  const lists = exports === 0 ? 0 : exportLimits(exports, processes).connections;
  return processes * (pages + lists + OTHERS + (follows ? OF_A_FEED : 0));
}

export function slowPartOf(connections: number): number {
  return Math.max(1, Math.floor(connections / 5));
}

export function shareOf(limits: PoolLimits, processes = 1): PoolLimits {
  return { ...limits, connections: Math.ceil(limits.connections / processes) };
}
