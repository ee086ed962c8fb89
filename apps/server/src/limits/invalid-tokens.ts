import { LRUCache } from 'lru-cache';

import type { RateLimitSettings } from '../settings/groups/rate-limits.ts';
import { addressOwner } from './address-owner.ts';
import type { Counters } from './counts/counters.ts';
import { type LocalCounts, OWNERS } from './counts/local-counts.ts';
import { INVALID_TOKENS } from './counts/policies.ts';
import { type Consumption, type RateLimitState, windowState } from './counts/rate-limit-state.ts';

/** Checks blocks without Redis: processes learn the shared count with their next invalid token. */
export class InvalidTokens {
  readonly #limit: RateLimitSettings['failures_per_minute'];
  readonly #local: LocalCounts;
  readonly #shared: Counters['service'] | Counters['shared'];
  readonly #now: () => number;
  readonly #blockedElsewhere = new LRUCache<string, number>(OWNERS);

  constructor(
    limit: RateLimitSettings['failures_per_minute'],
    { local, shared, service, now }: Counters,
  ) {
    this.#limit = limit;
    this.#local = local;
    this.#shared = shared ?? service;
    this.#now = now;
  }

  /** Blocks an owner of addresses that others found to have sent too many. */
  block(owner: string, resetMs: number): void {
    this.#blockedElsewhere.set(owner, this.#now() + resetMs);
  }

  add(address: string): void {
    const consumption = this.#consumptionOf(address, 1);
    if (consumption === undefined) return;
    this.#local.consume(consumption);
    // If the count cannot be shared, it still counts in this process.
    void this.#shareCount(consumption).catch(() => undefined);
  }

  blocked(address: string): RateLimitState | undefined {
    const consumption = this.#consumptionOf(address, 0);
    if (consumption === undefined) return undefined;
    const usage = this.#local.consume(consumption);
    if (!usage.allowed) return windowState(consumption, usage);
    const resetMs = (this.#blockedElsewhere.get(consumption.owner) ?? 0) - this.#now();
    return resetMs > 0
      ? windowState(consumption, { consumed: consumption.limit, allowed: false, resetMs })
      : undefined;
  }

  async #shareCount(consumption: Consumption): Promise<void> {
    const [usage] = (await this.#shared?.consume([consumption])) ?? [];
    if (usage === undefined || usage.consumed < consumption.limit) return;
    this.block(consumption.owner, usage.resetMs);
  }

  #consumptionOf(address: string, amount: number): Consumption | undefined {
    if (this.#limit === 'unlimited') return undefined;
    return {
      policy: INVALID_TOKENS,
      owner: addressOwner(address),
      limit: this.#limit,
      amount,
      unconditional: true,
    };
  }
}
