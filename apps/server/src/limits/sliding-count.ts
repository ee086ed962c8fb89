import { type WindowPolicy, windowMs } from './policies.ts';
import type { Charge, Reading } from './standing.ts';

/** What one caller did in the window that ends now: a ring of slots, one more than the window has. */
export class SlidingCount {
  readonly #policy: WindowPolicy;
  readonly #counts: Float64Array;
  #newest: number;

  constructor(policy: WindowPolicy, now: number) {
    this.#policy = policy;
    this.#counts = new Float64Array(policy.slots + 1);
    this.#newest = Math.floor(now / policy.slotMs);
  }

  charge({ limit, cost, always }: Omit<Charge, 'policy' | 'owner'>, now: number): Reading {
    this.#move(now);
    const before = this.#counts.reduce((sum, count) => sum + count, 0);
    const allowed = before + Math.max(cost, 1) <= limit;
    const added = allowed || always ? cost : 0;
    this.#add(added);
    const used = before + added;
    return { used, allowed, resetMs: this.#resetMs(used, limit, now) };
  }

  #add(cost: number): void {
    const index = this.#newest % this.#counts.length;
    this.#counts[index] = this.#at(this.#newest) + cost;
  }

  #at(slot: number): number {
    return this.#counts[slot % this.#counts.length] ?? 0;
  }

  /** Forgets the slots that have left the window. A clock that goes back moves nothing. */
  #move(now: number): void {
    const slot = Math.floor(now / this.#policy.slotMs);
    const passed = Math.min(slot - this.#newest, this.#counts.length);
    for (let step = 0; step < passed; step++) this.#counts[(slot - step) % this.#counts.length] = 0;
    this.#newest = Math.max(this.#newest, slot);
  }

  /** When enough of the oldest slots have left that there is more room than now. */
  #resetMs(used: number, limit: number, now: number): number {
    const { slotMs, slots } = this.#policy;
    let left = used;
    for (let slot = Math.max(0, this.#newest - slots); slot <= this.#newest; slot++) {
      left -= this.#at(slot);
      if (left < Math.min(used, limit)) return (slot + slots + 1) * slotMs - now;
    }
    return windowMs(this.#policy);
  }
}
