import { performance } from 'node:perf_hooks';

import type { RedisParts } from '../redis/redis-connection.ts';
import type { RateLimitSettings } from '../settings/groups/rate-limits.ts';
import type { Counters } from './counts/counters.ts';
import { AcceptedTokens } from './accepted-tokens.ts';
import { InvalidTokens } from './invalid-tokens.ts';
import { LocalCounts } from './counts/local-counts.ts';
import type { RateLimitState } from './counts/rate-limit-state.ts';
import { RunningQueries, type Slot } from './running-queries.ts';
import type { Soon } from '../soon.ts';
import type { ServiceCounts } from './counts/service-counts.ts';
import type { SharedCounts } from './counts/shared-counts.ts';
import { TokenLimits, type TokenRateLimits } from './token-limits.ts';
import { WorkerQueries } from './worker-queries.ts';

const monotonicMs = (): number => performance.now();

/** What callers may still do. Tokens count by the id of their principal. */
export interface Limits {
  countInvalidToken(address: string): void;
  remember(address: string, token: string, accepted: boolean): void;
  /** Accepted in the last hour, so the invalid tokens of others at the address do not matter. */
  remembers(address: string, token: string): boolean;
  /** Undefined unless the address has sent too many invalid tokens. */
  blocked(address: string): RateLimitState | undefined;
  /** Blocks by owner addresses that another process has found to send too many. */
  block(owner: string, resetMs: number): void;
  /** Consumes one request. `records` is whether a query may still read. */
  consumeRequest(token: string): Soon<TokenRateLimits>;
  /** For a query of this service; other services have slots of their own, with Redis too. */
  acquireSlot(token: string): Soon<Slot>;
  acquireWatch(token: string): Soon<Slot>;
  /** Assumes that each running query of the token here returns all it may. */
  acquireRecords(token: string, count: number): Soon<Slot>;
  consumeRecords(token: string, count: number): Soon<RateLimitState | undefined>;
  /** Counts records before they are read, unless they are more than what is left. */
  reserveRecords(token: string, count: number): Soon<RateLimitState | undefined>;
  close(): void;
}

interface LimitsParts {
  readonly log: RedisParts['log'];
  /** How long to wait for Redis. Default: a fifth of a second. */
  readonly redisTimes?: RedisParts['times'];
  /** Counts for all processes of the service. Default: each for itself. */
  readonly service?: ServiceCounts | undefined;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** In memory, and in Redis if the settings name one. Connects in the background. */
export async function openLimits(
  settings: RateLimitSettings,
  { log, redisTimes: times, service, now = monotonicMs }: LimitsParts,
): Promise<Limits> {
  const shared =
    settings.redis === undefined ? undefined : await openRedis(settings.redis, { log, times });
  const counters = { local: new LocalCounts(now), service, shared, now };
  const running = service === undefined ? new RunningQueries() : new WorkerQueries(service);
  const limits = limitsOver(settings, counters, running);
  return { ...limits, close: () => shared?.close() };
}

/** Loads the client of Redis only if the settings name one. */
async function openRedis(url: string, parts: RedisParts): Promise<SharedCounts> {
  const module = await import('./counts/shared-counts.ts');
  return new module.SharedCounts(url, parts);
}

export function createUnlimited(): Limits {
  const unlimited = {
    requests_per_minute: 'unlimited',
    concurrent_queries: 'unlimited',
    concurrent_watches: 'unlimited',
    rows_per_day: 'unlimited',
    failures_per_minute: 'unlimited',
  } as const;
  const counters = { local: new LocalCounts(monotonicMs), shared: undefined, now: monotonicMs };
  return { ...limitsOver(unlimited, counters), close: () => undefined };
}

export function limitsOver(
  settings: RateLimitSettings,
  counters: Counters,
  running: RunningQueries | WorkerQueries = new RunningQueries(),
): Omit<Limits, 'close'> {
  const invalidTokens = new InvalidTokens(settings.failures_per_minute, counters);
  const accepted = new AcceptedTokens(counters.now);
  const tokens = new TokenLimits(settings, counters);
  return {
    countInvalidToken: (address) => invalidTokens.add(address),
    remember: (address, token, isAccepted) => {
      if (isAccepted) accepted.add(address, token);
      else accepted.remove(address, token);
    },
    remembers: (address, token) => accepted.has(address, token),
    blocked: (address) => invalidTokens.blocked(address),
    block: (owner, resetMs) => invalidTokens.block(owner, resetMs),
    consumeRequest: (token) => tokens.consumeRequest(token),
    acquireSlot: (token) => running.acquire(token, settings.concurrent_queries),
    acquireWatch: (token) => running.acquire(`${WATCHES}${token}`, settings.concurrent_watches),
    acquireRecords: (token, count) => tokens.acquireRecords(token, count),
    consumeRecords: (token, count) => tokens.consumeRecords(token, count),
    reserveRecords: (token, count) => tokens.reserveRecords(token, count),
  };
}

/** Watches count beside queries; no id of a principal begins so. */
const WATCHES = 'watches ';
