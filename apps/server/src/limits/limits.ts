import { performance } from 'node:perf_hooks';

import type { RateLimitSettings, TokenLimits } from '../settings/rate-limits.ts';
import type { Counting } from './counting.ts';
import { AcceptedTokens } from './accepted-tokens.ts';
import { Failures } from './failures.ts';
import { LocalCounts } from './local-counts.ts';
import { RunningQueries, type Slot } from './running-queries.ts';
import { type LimitsLog, SharedCounts } from './shared-counts.ts';
import type { Standing } from './standing.ts';
import { countRows, takeRequest, type TokenStandings } from './token-limits.ts';

/**
 * What callers may still do. Tokens go by their names; the limits of the settings apply where a
 * call brings none.
 */
export interface Limits {
  /** Counts an invalid token against the address that sent it. */
  failure(address: string): void;
  /** Remembers a token that was accepted, or forgets one that was not. */
  remember(address: string, token: string, accepted: boolean): void;
  /**
   * Whether a token of an address was accepted in the last hour, so that the failures of others
   * there do not concern it.
   */
  remembers(address: string, token: string): boolean;
  /** Where an address stands that has sent too many invalid tokens; undefined for all others. */
  blocked(address: string): Standing | undefined;
  /** Takes one request. `rows` tells whether a query may still read. */
  take(token: string, limits?: TokenLimits): Promise<TokenStandings>;
  /**
   * Takes a slot for a query of this process; other processes have slots of their own, with Redis
   * too.
   */
  enter(token: string, limits?: TokenLimits): Slot;
  /** Counts rows that a query read. */
  rows(token: string, count: number, limits?: TokenLimits): Promise<Standing | undefined>;
  /** Leaves Redis. */
  close(): void;
}

interface LimitsParts {
  readonly log: LimitsLog;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** Limits in memory, and in Redis where the settings name one. It connects in the background. */
export function createLimits(
  settings: RateLimitSettings,
  { log, now = () => performance.now() }: LimitsParts,
): Limits {
  const shared = settings.redis === undefined ? undefined : new SharedCounts(settings.redis, log);
  const limits = limitsOver(settings, { local: new LocalCounts(now), shared, now });
  return { ...limits, close: () => shared?.close() };
}

/** Limits over given counts. */
export function limitsOver(settings: RateLimitSettings, counting: Counting): Omit<Limits, 'close'> {
  const failures = new Failures(settings.failures_per_minute, counting);
  const accepted = new AcceptedTokens(counting.now);
  const running = new RunningQueries();
  return {
    failure: (address) => failures.add(address),
    remember: (address, token, isAccepted) => {
      if (isAccepted) accepted.add(address, token);
      else accepted.remove(address, token);
    },
    remembers: (address, token) => accepted.has(address, token),
    blocked: (address) => failures.blocked(address),
    take: (token, limits = settings) => takeRequest(token, limits, counting),
    enter: (token, limits = settings) => running.enter(token, limits.concurrent_queries),
    rows: (token, count, limits = settings) => countRows(token, count, limits, counting),
  };
}
