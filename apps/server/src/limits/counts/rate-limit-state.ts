import { type Policy, QUERIES, type WindowPolicy, windowMs } from './policies.ts';

export interface RateLimitState {
  readonly policy: Policy;
  readonly windowSeconds: number | undefined;
  readonly limit: number;
  readonly remaining: number;
  /** Until more remains, rounded up; undefined where that depends on when others end. */
  readonly resetSeconds: number | undefined;
  readonly allowed: boolean;
}

export interface Consumption {
  readonly policy: WindowPolicy;
  /** A token's name, or an address. */
  readonly owner: string;
  readonly limit: number;
  /** 0 only asks whether the limit is reached. */
  readonly amount: number;
  /** Adds it even beyond the limit, because it has happened already. */
  readonly unconditional: boolean;
}

export interface Usage {
  readonly consumed: number;
  readonly allowed: boolean;
  /** Until more remains, in milliseconds. */
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
