import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../limits/limits.ts';
import { principalOf } from './plugins/access.ts';
import { mostRecords } from './most-records.ts';
import { noteRateLimit, quotaExceeded, rateLimited } from './plugins/limits.ts';
import { releaseAtEnd } from './request/reply-end.ts';

/**
 * Takes a slot of the caller for a query. The slot is held until the reply is sent, so that callers
 * who do not read their replies cannot start more queries. If the caller disconnects, it is held
 * until the query has ended in the database.
 *
 * @returns ends the query
 * @throws {HttpProblem} `rate_limited` when the caller has no slot left
 */
export async function acquireQuerySlot(
  limits: Pick<Limits, 'acquireSlot'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<() => void> {
  const { principal } = request;
  if (principal === null) throw new Error('A route that runs queries needs a token.');
  const { state, release } = await limits.acquireSlot(principal.id);
  noteRateLimit(request, state);
  if (state?.allowed === false)
    throw rateLimited(state, `The token may run ${state.limit} queries at once.`);
  return () => releaseAtEnd(reply.raw, release);
}

/**
 * Counts what a query may return against the quota of its caller, until the reply is sent and its
 * records are counted.
 *
 * @throws {HttpProblem} `quota_exceeded` when nothing is left beside what runs
 */
export async function acquireRecords(
  limits: Pick<Limits, 'acquireRecords'>,
  request: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  const { state, release } = await limits.acquireRecords(
    principalOf(request).id,
    mostRecords(request.body),
  );
  if (state?.allowed === false) throw quotaExceeded(state);
  releaseAtEnd(raw, release);
}

/**
 * Takes a slot of the caller for a watch, until its reply ends.
 *
 * @throws {HttpProblem} `rate_limited` when the caller has no slot left
 */
export async function acquireWatchSlot(
  limits: Pick<Limits, 'acquireWatch'>,
  request: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  const { state, release } = await limits.acquireWatch(principalOf(request).id);
  if (state?.allowed === false)
    throw rateLimited(state, `The token may watch ${state.limit} lists at once.`);
  releaseAtEnd(raw, release);
}
