import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { queryRequestSchema, readListRequest } from './query.ts';
import type { RequestReading } from './read-request.ts';

/** The least time between events, in milliseconds. */
export const WATCH_EVERY_MS = { least: 100, most: 3_600_000, default: 1000 } as const;

/** A query's body without `page` (docs/reference/contract.md#lists-that-change). */
export const watchRequestSchema = z.extend(z.omit(queryRequestSchema, { page: true }), {
  /** The least milliseconds between two events. Default: 1,000. */
  watch_every_ms: z.optional(
    z.int().check(z.minimum(WATCH_EVERY_MS.least), z.maximum(WATCH_EVERY_MS.most)),
  ),
});

export type WatchRequest = z.infer<typeof watchRequestSchema>;

/** Reads the body of a request to watch a list. */
export function readWatchRequest(body: unknown): RequestReading<WatchRequest> {
  const reading = readListRequest(watchRequestSchema, body);
  return reading.ok ? reading : { ...reading, errors: reading.errors.map(explained) };
}

/** Says why a watch does not take a query's member. */
function explained(error: RequestError): RequestError {
  if (error.code !== 'unknown_member' || error.pointer !== '/page') return error;
  return { ...error, detail: '/page: a whole list is watched; leave out page.' };
}
