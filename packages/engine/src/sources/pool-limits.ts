import type { PoolLimits } from './connection-pool.ts';

/** What one process alone takes of a database server. */
export const SERVER_LIMITS: PoolLimits = { connections: 10, maxWaiting: 1000, maxWaitMs: 2000 };

/** The share of one of several processes, which has a connection of its own in any case. */
export function shareOf(limits: PoolLimits, processes = 1): PoolLimits {
  return { ...limits, connections: Math.ceil(limits.connections / processes) };
}
