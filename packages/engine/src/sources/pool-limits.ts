import type { PoolLimits } from './connection-pool.ts';

/** What one process alone takes of a database server. */
export const SERVER_LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** Connections beside those for pages: for checks, page indexes, and to stop statements. */
const OTHERS = 5;

/** A change feed has one connection that asks and one that follows. */
const OF_A_FEED = 2;

/** How many connections to a database server all processes of a service open at most together. */
export function mostConnections(processes: number, follows: boolean): number {
  const { connections } = shareOf(SERVER_LIMITS, processes);
  const pages = connections + slowPartOf(connections);
  return processes * (pages + OTHERS + (follows ? OF_A_FEED : 0));
}

/** How many connections slow statements have beside those of the quick ones. */
export function slowPartOf(connections: number): number {
  return Math.max(1, Math.floor(connections / 5));
}

/** The share of one of several processes, which has a connection of its own in any case. */
export function shareOf(limits: PoolLimits, processes = 1): PoolLimits {
  return { ...limits, connections: Math.ceil(limits.connections / processes) };
}
