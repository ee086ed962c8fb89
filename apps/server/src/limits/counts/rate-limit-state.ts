import { type Policy, QUERIES, type WindowPolicy, windowMs } from './policies.ts';

/** What a caller has left of a limit. */
export interface RateLimitState {
  readonly policy: Policy;
  /** The length of the window in seconds; undefined where there is none. */
  readonly windowSeconds: number | undefined;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until more remains, rounded up; undefined where that depends on when others end. */
  readonly resetSeconds: number | undefined;
  /** Whether the limit allows what was asked. */
  readonly allowed: boolean;
}

/** What is to be counted against a limit. */
export interface Consumption {
  readonly policy: WindowPolicy;
  /** Whose count it is: a token's name, or an address. */
  readonly owner: string;
  readonly limit: number;
  /** How much to add; 0 only asks whether the limit is reached. */
  readonly amount: number;
  /** Whether it is added even beyond the limit, because it has happened already. */
  readonly unconditional: boolean;
}

/** What a counter reports of a consumption. */
export interface Usage {
  /** What was consumed in the window, with what was added. */
  readonly consumed: number;
  /** Whether the limit allowed it. */
  readonly allowed: boolean;
  /** How long until more remains, in milliseconds. */
  readonly resetMs: number;
}

export function windowState(
  { policy, limit }: Consumption,
  { consumed, allowed, resetMs }: Usage,
): RateLimitState {
  return {
    policy,
    windowSeconds: windowMs(policy) / 1000,
    limit,
    remaining: Math.max(0, limit - consumed),
    resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    allowed,
  };
}

export function concurrencyState(limit: number, running: number, allowed: boolean): RateLimitState {
  const remaining = Math.max(0, limit - running);
  return {
    policy: QUERIES,
    windowSeconds: undefined,
    limit,
    remaining,
    resetSeconds: undefined,
    allowed,
  };
}
