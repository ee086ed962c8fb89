import type { Tally } from '@proj/fastify/host';

import type { TokenLimits } from '../settings/groups/rate-limits.ts';
import type { Counters } from './counts/counters.ts';
import { FREE, type Slot } from './running-queries.ts';
import { RECORDS, REQUESTS } from './counts/policies.ts';
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

export async function consumeRequest(
  owner: string,
  { requests_per_minute: perMinute, rows_per_day: perDay }: TokenLimits,
  counters: Counters,
): Promise<TokenRateLimits> {
  const [requests] =
    perMinute === 'unlimited'
      ? []
      : [{ policy: REQUESTS, owner, limit: perMinute, amount: 1, unconditional: false }];
  const [records] =
    perDay === 'unlimited'
      ? []
      : [{ policy: RECORDS, owner, limit: perDay, amount: 0, unconditional: false }];
  const consumptions = [requests, records].filter((consumption) => consumption !== undefined);
  const states = await consume(consumptions, counters);
  const stateOf = (wanted: Consumption | undefined): RateLimitState | undefined =>
    states.find((_state, index) => consumptions[index] === wanted);
  return { requests: stateOf(requests), records: stateOf(records) };
}

export async function consumeRecords(
  records: Pick<Consumption, 'owner' | 'amount' | 'unconditional'>,
  { rows_per_day: limit }: Pick<TokenLimits, 'rows_per_day'>,
  counters: Counters,
): Promise<RateLimitState | undefined> {
  if (limit === 'unlimited') return undefined;
  const consumption = { policy: RECORDS, limit, ...records };
  const [state] = await consume([consumption], counters);
  return state;
}

interface RecordsToRead {
  readonly token: string;
  readonly count: number;
  readonly records: Tally;
}

type RecordsLimit = Pick<TokenLimits, 'rows_per_day'>;

/** Counts what a query may return until it has ended, if anything is left beside what runs. */
export async function acquireRecords(
  { token, count, records }: RecordsToRead,
  limits: RecordsLimit,
  counters: Counters,
): Promise<Slot> {
  if (limits.rows_per_day === 'unlimited') return FREE;
  const others = records.of(token);
  const release = records.add(token, count);
  try {
    const asked = { owner: token, amount: 0, unconditional: false };
    const state = await consumeBeside(others, asked, { limits, counters });
    if (state?.allowed !== false) return { state, release };
    release();
    return { ...FREE, state: { ...state, ...(others > 0 && { resetSeconds: 1 }) } };
  } catch (error) {
    release();
    throw error;
  }
}

/** Counts records before they are read, if they are left beside what runs. */
export async function reserveRecords(
  { token, count, records }: RecordsToRead,
  limits: RecordsLimit,
  counters: Counters,
): Promise<RateLimitState | undefined> {
  const asked = { owner: token, amount: count, unconditional: false };
  return consumeBeside(records.of(token), asked, { limits, counters });
}

async function consumeBeside(
  others: number,
  asked: Pick<Consumption, 'owner' | 'amount' | 'unconditional'>,
  { limits, counters }: { readonly limits: RecordsLimit; readonly counters: Counters },
): Promise<RateLimitState | undefined> {
  const { rows_per_day: limit } = limits;
  if (limit === 'unlimited') return undefined;
  const state = await consumeRecords(asked, { rows_per_day: limit - others }, counters);
  return state && { ...state, limit };
}

/** Redis and this service must both allow it: the limit holds even when Redis fails. */
async function consume(
  consumptions: readonly Consumption[],
  counters: Counters,
): Promise<RateLimitState[]> {
  if (consumptions.length === 0) return [];
  const everywhere = await counters.shared?.consume(consumptions);
  const asked = consumptions.map((consumption, index) => {
    const refused = everywhere?.[index]?.allowed === false && !consumption.unconditional;
    return refused ? { ...consumption, amount: 0 } : consumption;
  });
  const here = await consumeHere(asked, counters);
  return here.map((usage, index) => {
    const shared = everywhere?.[index];
    return windowState(
      consumptions[index] as Consumption,
      shared === undefined ? usage : tighter(shared, usage),
    );
  });
}

/** In this process, or in the one that counts for all workers. */
async function consumeHere(
  consumptions: readonly Consumption[],
  { local, service }: Counters,
): Promise<Usage[]> {
  return (
    service?.consume(consumptions) ?? consumptions.map((consumption) => local.consume(consumption))
  );
}

function tighter(one: Usage, other: Usage): Usage {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  return one.consumed > other.consumed ? one : other;
}
