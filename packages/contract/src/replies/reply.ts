import { pageMetadataSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

/** One record of `result`: the requested attributes in the order of the request. */
export type ResultRecord = Record<string, unknown>;

const record = z.custom<ResultRecord>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const digits = pageMetadataSchema.shape.total;

/**
 * The `page` member of a reply. `total` is `null` only where the request asked for less than the
 * whole total.
 */
export const replyPageSchema = z.extend(pageMetadataSchema, {
  total: z.nullable(digits),
  /** In place of a total that is more than a request wanted counted: one more than that. */
  total_at_least: z.optional(digits),
});

/**
 * The reply of the query endpoint
 * (docs/reference/contract.md#the-reply).
 */
export const queryReplySchema = z.object({ result: z.array(record), page: replyPageSchema });

export type ReplyPage = z.infer<typeof replyPageSchema>;
export type QueryReply = z.infer<typeof queryReplySchema>;
