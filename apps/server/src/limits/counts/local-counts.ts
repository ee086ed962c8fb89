import { LRUCache } from 'lru-cache';

import { type WindowPolicy, windowMs } from './policies.ts';
import { SlidingCount } from './sliding-count.ts';
import type { Consumption, Usage } from './rate-limit-state.ts';

/** Callers under one policy; drops the least recently seen. */
export const MAX_OWNERS = 10_000;

/** With `max` a cache would take the memory of all at once. */
export const OWNERS = { maxSize: MAX_OWNERS, sizeCalculation: () => 1 };

export class LocalCounts {
  readonly #now: () => number;
  readonly #counts = new Map<WindowPolicy, LRUCache<string, SlidingCount>>();

  /** @param now milliseconds that never go back */
  constructor(now: () => number) {
    this.#now = now;
  }

  consume(consumption: Consumption): Usage {
    const now = this.#now();
    const owners = this.#ownersOf(consumption.policy);
    const known = owners.get(consumption.owner);
    if (known !== undefined) return known.consume(consumption, now);
    // An amount of 0 only asks, and remembers no caller.
    if (consumption.amount === 0)
      return { consumed: 0, allowed: consumption.limit > 0, resetMs: windowMs(consumption.policy) };
    const count = new SlidingCount(consumption.policy, now);
    owners.set(consumption.owner, count);
    return count.consume(consumption, now);
  }

  size(policy: WindowPolicy): number {
    return this.#counts.get(policy)?.size ?? 0;
  }

  #ownersOf(policy: WindowPolicy): LRUCache<string, SlidingCount> {
    const owners = this.#counts.get(policy) ?? new LRUCache(OWNERS);
    this.#counts.set(policy, owners);
    return owners;
  }
}
