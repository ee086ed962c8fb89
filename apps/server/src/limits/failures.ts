import { LRUCache } from 'lru-cache';

import type { RateLimitSettings } from '../settings/rate-limits.ts';
import { addressOwner } from './address-owner.ts';
import type { Counting } from './counting.ts';
import { type LocalCounts, MAX_OWNERS } from './local-counts.ts';
import { FAILURES } from './policies.ts';
import { type Charge, type Standing, windowStanding } from './standing.ts';

/**
 * Invalid tokens by the address that sent them. To know whether an address is blocked costs no
 * round trip: what other processes counted is learnt from the answer to the next failure, so that
 * each of them lets one more through.
 */
export class Failures {
  readonly #limit: RateLimitSettings['failures_per_minute'];
  readonly #local: LocalCounts;
  readonly #shared: Counting['shared'];
  readonly #now: () => number;
  readonly #blockedElsewhere = new LRUCache<string, number>({ max: MAX_OWNERS });

  constructor(limit: RateLimitSettings['failures_per_minute'], { local, shared, now }: Counting) {
    this.#limit = limit;
    this.#local = local;
    this.#shared = shared;
    this.#now = now;
  }

  add(address: string): void {
    const charge = this.#charge(address, 1);
    if (charge === undefined) return;
    this.#local.charge(charge);
    void this.#learn(charge);
  }

  blocked(address: string): Standing | undefined {
    const charge = this.#charge(address, 0);
    if (charge === undefined) return undefined;
    const reading = this.#local.charge(charge);
    if (!reading.allowed) return windowStanding(charge, reading);
    const resetMs = (this.#blockedElsewhere.get(charge.owner) ?? 0) - this.#now();
    return resetMs > 0
      ? windowStanding(charge, { used: charge.limit, allowed: false, resetMs })
      : undefined;
  }

  async #learn(charge: Charge): Promise<void> {
    const [reading] = (await this.#shared?.charge([charge])) ?? [];
    if (reading === undefined || reading.used < charge.limit) return;
    this.#blockedElsewhere.set(charge.owner, this.#now() + reading.resetMs);
  }

  #charge(address: string, cost: number): Charge | undefined {
    if (this.#limit === 'unlimited') return undefined;
    return {
      policy: FAILURES,
      owner: addressOwner(address),
      limit: this.#limit,
      cost,
      always: true,
    };
  }
}
