import { type ReplyMemory, SMALL_REPLY_BYTES } from '@proj/engine';
import { type Bounds, principalOf } from '@proj/fastify/host';

import type { Limits } from '../limits/limits.ts';
import { after } from '../soon.ts';
import { noteRateLimit, quotaExceeded, rateLimited, reserveRecords } from './plugins/limits.ts';

/** By the limits, and the memory that large replies take together. */
export function boundsOf(
  limits: Pick<Limits, 'acquireSlot' | 'acquireRecords' | 'acquireWatch' | 'reserveRecords'>,
  replyMemory: Pick<ReplyMemory, 'hold'> | undefined,
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
      after(limits.acquireRecords(principalOf(ask).id, mostRecords(ask.body)), (slot) => {
        if (slot.state?.allowed === false) throw quotaExceeded(slot.state);
        ask.releaseAtEnd(slot.release);
      }),
    reserveRecords: (ask, total) => reserveRecords(ask, limits, total),
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

/** For facets that name no number of values or bins. */
const FACET = 20;

/** Counts values and bins of facets too. Invalid bodies are refused before anything is read. */
function mostRecords(body: unknown): number {
  const { page, query_facets: facets } = Object(body) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(facets)) return countIn(page, 'size') ?? 0;
  return facets.reduce<number>(
    (sum, facet) => sum + (countIn(facet, 'values') ?? countIn(facet, 'bins') ?? FACET),
    0,
  );
}

function countIn(value: unknown, member: string): number | undefined {
  const count: unknown = Object(value)[member];
  return Number.isSafeInteger(count) && Number(count) > 0 ? Number(count) : undefined;
}
