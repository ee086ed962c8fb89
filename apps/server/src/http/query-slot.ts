import { FACET_LIMITS } from '@proj/contract';
import { type AnsweringEngine, type ReplyMemory, SMALL_REPLY_BYTES } from '@proj/engine';
import { type Ask, type Bounds, principalOf } from '@proj/fastify/host';

import type { Limits } from '../limits/limits.ts';
import { after } from '../soon.ts';
import { noteRateLimit, quotaExceeded, rateLimited } from './plugins/limits.ts';

/** By the limits, and the memory that large replies take together. */
export function boundsOf(
  limits: Pick<Limits, 'acquireSlot' | 'acquireRecords' | 'acquireWatch' | 'reserveRecords'>,
  replyMemory: Pick<ReplyMemory, 'hold'> | undefined,
  served: Pick<AnsweringEngine, 'catalogue'>,
): Bounds {
  return {
    takeSlot: (ask) =>
      after(limits.acquireSlot(principalOf(ask).id), ({ state, release }) => {
        noteRateLimit(ask, state);
        if (state?.allowed === false)
          throw rateLimited(state, `The token may run ${state.limit} queries at once.`);
        return () => ask.releaseAtEnd(release);
      }),
    takeRecords: (ask) =>
      after(limits.acquireRecords(principalOf(ask).id, mostRecords(ask, served)), (slot) => {
        if (slot.state?.allowed === false) throw quotaExceeded(slot.state);
        ask.releaseAtEnd(slot.release);
      }),
    reserveRecords: async (ask, total) => {
      if (total === 0n) return;
      const state = await limits.reserveRecords(principalOf(ask).id, Number(total));
      noteRateLimit(ask, state);
      if (state?.allowed !== false) return;
      const { limit, remaining } = state;
      const left = `of the ${limit} that the token may read in 24 hours, ${remaining} are left`;
      throw quotaExceeded(state, `The list has ${total} records; ${left}.`);
    },
    takeWatch: async (ask) => {
      const { state, release } = await limits.acquireWatch(principalOf(ask).id);
      if (state?.allowed === false)
        throw rateLimited(state, `The token may watch ${state.limit} lists at once.`);
      ask.releaseAtEnd(release);
    },
    holdMemory: (ask, text) => {
      if (replyMemory === undefined || text.length <= SMALL_REPLY_BYTES) return undefined;
      return replyMemory.hold(text.length).then((release) => ask.releaseAtEnd(release));
    },
  };
}

type Asked = Readonly<{ query_model?: string; page?: unknown; query_facets?: unknown }>;

/** Counts values and bins of facets too, and nothing that is refused as too large. */
function mostRecords(ask: Ask, { catalogue }: Pick<AnsweringEngine, 'catalogue'>): number {
  const { query_model: name = '', page, query_facets: facets }: Asked = Object(ask.body);
  if (Array.isArray(facets)) {
    if (facets.length > FACET_LIMITS.facets) return 0;
    const { values: most } = FACET_LIMITS;
    const counts = facets.map((one) => countIn(one, 'values', most) || countIn(one, 'bins', most));
    return counts.reduce((sum, count) => sum + count, 0);
  }
  const { models } = principalOf(ask).grant;
  const granted = models === 'all' ? { maxPageSize: Infinity } : models.get(name);
  const model = granted && catalogue.get(name);
  return countIn(page, 'size', Math.min(model?.maxPageSize ?? 0, granted?.maxPageSize ?? Infinity));
}

function countIn(value: unknown, member: string, most: number): number {
  const count: unknown = Object(value)[member];
  return Number.isInteger(count) && Number(count) > 0 && Number(count) <= most ? Number(count) : 0;
}
