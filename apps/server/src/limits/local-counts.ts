import { LRUCache } from 'lru-cache';

import { type WindowPolicy, windowMs } from './policies.ts';
import { SlidingCount } from './sliding-count.ts';
import type { Charge, Reading } from './standing.ts';

/**
 * How many callers are remembered under one policy; whoever was seen least recently is forgotten
 * first.
 */
export const MAX_OWNERS = 10_000;

/** The counts of this process. */
export class LocalCounts {
  readonly #now: () => number;
  readonly #counts = new Map<WindowPolicy, LRUCache<string, SlidingCount>>();

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  charge(charge: Charge): Reading {
    const now = this.#now();
    const owners = this.#ownersOf(charge.policy);
    const known = owners.get(charge.owner);
    if (known !== undefined) return known.charge(charge, now);
    // Whoever is only looked at takes no place from others.
    if (charge.cost === 0)
      return { used: 0, allowed: charge.limit > 0, resetMs: windowMs(charge.policy) };
    const count = new SlidingCount(charge.policy, now);
    owners.set(charge.owner, count);
    return count.charge(charge, now);
  }

  /** How many callers are remembered under a policy. */
  size(policy: WindowPolicy): number {
    return this.#counts.get(policy)?.size ?? 0;
  }

  #ownersOf(policy: WindowPolicy): LRUCache<string, SlidingCount> {
    const owners = this.#counts.get(policy) ?? new LRUCache({ max: MAX_OWNERS });
    this.#counts.set(policy, owners);
    return owners;
  }
}
