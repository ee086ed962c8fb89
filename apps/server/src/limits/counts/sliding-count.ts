import { type WindowPolicy, windowMs } from './policies.ts';
import type { Consumption, Usage } from './rate-limit-state.ts';

/** One caller in the window that ends now: a ring of slots, one more than the window has. */
export class SlidingCount {
  readonly #policy: WindowPolicy;
  readonly #counts: Float64Array;
  #newest: number;
  #total = 0;

  constructor(policy: WindowPolicy, now: number) {
    this.#policy = policy;
    this.#counts = new Float64Array(policy.slots + 1);
    this.#newest = Math.floor(now / policy.slotMs);
  }

  consume(
    { limit, amount, unconditional }: Omit<Consumption, 'policy' | 'owner'>,
    now: number,
  ): Usage {
    this.#move(now);
    const allowed = this.#total + Math.max(amount, 1) <= limit;
    if (allowed || unconditional) this.#add(amount);
    return { consumed: this.#total, allowed, resetMs: this.#resetMs(limit, now) };
  }

  #add(amount: number): void {
    this.#counts[this.#newest % this.#counts.length] = this.#at(this.#newest) + amount;
    this.#total += amount;
  }

  #at(slot: number): number {
    return this.#counts[slot % this.#counts.length] ?? 0;
  }

  /** Forgets the slots that have left the window. A clock that goes back moves nothing. */
  #move(now: number): void {
    const slot = Math.floor(now / this.#policy.slotMs);
    const passed = Math.min(slot - this.#newest, this.#counts.length);
    for (let step = 0; step < passed; step++) {
      this.#total -= this.#at(slot - step);
      this.#counts[(slot - step) % this.#counts.length] = 0;
    }
    this.#newest = Math.max(this.#newest, slot);
  }

  /** When enough of the oldest slots have left that more remains than now. */
  #resetMs(limit: number, now: number): number {
    const { slotMs, slots } = this.#policy;
    let left = this.#total;
    for (let slot = Math.max(0, this.#newest - slots); slot <= this.#newest; slot++) {
      left -= this.#at(slot);
      if (left < Math.min(this.#total, limit)) return (slot + slots + 1) * slotMs - now;
    }
    return windowMs(this.#policy);
  }
}
