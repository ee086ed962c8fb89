import * as z from 'zod/mini';

import { replyPageSchema } from './reply.ts';

/** The media type of events. */
export const WATCH_TYPE = 'text/event-stream';

/** The names of events of a watched list. */
export const WATCH_EVENTS = {
  /** A state of the list: {@link listStateSchema}. */
  list: 'list',
  /** Why the events end: a problem document. */
  problem: 'problem',
} as const;

/** An event's state of a list. */
export const listStateSchema = z.object({
  /** As in the `page` of a reply. */
  total: replyPageSchema.shape.total,
  total_at_least: replyPageSchema.shape.total_at_least,
  /** As the header `Data-Version`; absent for tokens that do not see it. */
  version: z.optional(z.string()),
  /** How often data without versions is read, in milliseconds; absent elsewhere. */
  checked_every_ms: z.optional(z.int()),
});

export type ListState = z.infer<typeof listStateSchema>;
