import { type Policy, QUERIES, type WindowPolicy, windowMs } from './policies.ts';

/** Where a caller stands under a policy. */
export interface Standing {
  readonly policy: Policy;
  /** The length of the window in seconds; undefined where there is none. */
  readonly windowSeconds: number | undefined;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until more remains, rounded up; undefined where that depends on when others end. */
  readonly resetSeconds: number | undefined;
  /** Whether there was room for what was asked. */
  readonly allowed: boolean;
}

/** Something to be counted. */
export interface Charge {
  readonly policy: WindowPolicy;
  /** Whose count it is: a token's name, or an address. */
  readonly owner: string;
  readonly limit: number;
  /** How much to add; 0 only looks whether there is room. */
  readonly cost: number;
  /** Whether it is added even where there is no room, because it has happened. */
  readonly always: boolean;
}

/** What a store says of a charge. */
export interface Reading {
  /** What the window holds, with what was added. */
  readonly used: number;
  /** Whether there was room before. */
  readonly allowed: boolean;
  /** How long until there is more room, in milliseconds. */
  readonly resetMs: number;
}

export function windowStanding(
  { policy, limit }: Charge,
  { used, allowed, resetMs }: Reading,
): Standing {
  return {
    policy,
    windowSeconds: windowMs(policy) / 1000,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)),
    allowed,
  };
}

export function queriesStanding(limit: number, running: number, allowed: boolean): Standing {
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
