import { Tally } from '@proj/fastify/host';

import type { TokenLimits as Settings } from '../settings/groups/rate-limits.ts';
import type { Counters } from './counts/counters.ts';
import { FREE, type Slot } from './running-queries.ts';
import { after, type Soon } from '../soon.ts';
import { RECORDS, REQUESTS, type WindowPolicy } from './counts/policies.ts';
import {
  type Consumption,
  type RateLimitState,
  type Usage,
  windowState,
} from './counts/rate-limit-state.ts';

export interface TokenRateLimits {
  readonly requests: RateLimitState | undefined;
  readonly records: RateLimitState | undefined;
}

export class TokenLimits {
  readonly #limits: Settings;
  readonly #counters: Counters;
  /** What running queries may return, by token. */
  readonly #running = new Tally();

  constructor(limits: Settings, counters: Counters) {
    this.#limits = limits;
    this.#counters = counters;
  }

  consumeRequest(owner: string): Soon<TokenRateLimits> {
    const { requests_per_minute: perMinute, rows_per_day: perDay } = this.#limits;
    const asked: Consumption[] = [];
    const unconditional = false;
    if (perMinute !== 'unlimited')
      asked.push({ policy: REQUESTS, owner, limit: perMinute, amount: 1, unconditional });
    if (perDay !== 'unlimited')
      asked.push({ policy: RECORDS, owner, limit: perDay, amount: 0, unconditional });
    return after(consume(asked, this.#counters), (states) => {
      const stateOf = (wanted: WindowPolicy) => states.find(({ policy }) => policy === wanted);
      return { requests: stateOf(REQUESTS), records: stateOf(RECORDS) };
    });
  }

  consumeRecords(owner: string, amount: number): Soon<RateLimitState | undefined> {
    return this.#consumeRecords({ owner, amount, unconditional: true }, 0);
  }

  /** Counts records before they are read, if they are left beside what runs. */
  reserveRecords(owner: string, amount: number): Soon<RateLimitState | undefined> {
    const others = this.#running.of(owner);
    return this.#consumeRecords({ owner, amount, unconditional: false }, others);
  }

  /** Counts what a query may return until it has ended, if anything is left beside what runs. */
  acquireRecords(owner: string, count: number): Soon<Slot> {
    return this.#limits.rows_per_day === 'unlimited' ? FREE : this.#acquireRecords(owner, count);
  }

  async #acquireRecords(owner: string, count: number): Promise<Slot> {
    const others = this.#running.of(owner);
    const release = this.#running.add(owner, count);
    try {
      const state = await this.#consumeRecords({ owner, amount: 0, unconditional: false }, others);
      if (state?.allowed !== false) return { state, release };
      release();
      return { ...FREE, state: { ...state, ...(others > 0 && { resetSeconds: 1 }) } };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** @param others what running queries may return */
  #consumeRecords(
    asked: Pick<Consumption, 'owner' | 'amount' | 'unconditional'>,
    others: number,
  ): Soon<RateLimitState | undefined> {
    const { rows_per_day: limit } = this.#limits;
    if (limit === 'unlimited') return undefined;
    const consumption = { policy: RECORDS, limit: limit - others, ...asked };
    const consumed = consume([consumption], this.#counters);
    return after(consumed, ([state]) => state && { ...state, limit });
  }
}

/** Redis and this service must both allow it: the limit holds even when Redis fails. */
function consume(
  consumptions: readonly Consumption[],
  { local, service, shared }: Counters,
): Soon<RateLimitState[]> {
  if (consumptions.length === 0) return [];
  return after(shared?.consume(consumptions), (everywhere) => {
    const asked = consumptions.map((consumption, index) => {
      const refused = everywhere?.[index]?.allowed === false && !consumption.unconditional;
      return refused ? { ...consumption, amount: 0 } : consumption;
    });
    // In this process, or in the one that counts for all workers.
    const here = service?.consume(asked) ?? asked.map((one) => local.consume(one));
    return after(here, (usages) =>
      usages.map((usage, index) => {
        const other = everywhere?.[index];
        const used = other === undefined ? usage : tighter(other, usage);
        return windowState(consumptions[index] as Consumption, used);
      }),
    );
  });
}

function tighter(one: Usage, other: Usage): Usage {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  return one.consumed > other.consumed ? one : other;
}
