import * as z from 'zod/mini';

import type { RequestError } from '../problems.ts';
import { queryRequestSchema, readListRequest } from './query.ts';
import type { RequestReading } from './read-request.ts';

/** How often events may come at most, in milliseconds between two of them. */
export const WATCH_EVERY_MS = { least: 100, most: 3_600_000, default: 1000 } as const;

/**
 * The body of `POST /api/v1/dynamic/watch`
 * (docs/reference/contract.md#lists-that-change):
 * that of a query without `page`. Members that it does not name are errors.
 */
export const watchRequestSchema = z.extend(z.omit(queryRequestSchema, { page: true }), {
  /** How many milliseconds are between two events at least; 1,000 where absent. */
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

/** The error of a member that belongs to a query says why a watch does not take it. */
function explained(error: RequestError): RequestError {
  if (error.code !== 'unknown_member' || error.pointer !== '/page') return error;
  return { ...error, detail: '/page: a whole list is watched; leave out page.' };
}
