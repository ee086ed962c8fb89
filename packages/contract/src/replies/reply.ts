import { pageMetadataSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

/** The requested attributes, in the order of the request. */
export type ResultRecord = Record<string, unknown>;

const record = z.custom<ResultRecord>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

const digits = pageMetadataSchema.shape.total;

/** `total` is `null` only where less than the whole total was requested. */
export const replyPageSchema = z.extend(pageMetadataSchema, {
  total: z.nullable(digits),
  /** In place of a total beyond the count limit: that limit plus one. */
  total_at_least: z.optional(digits),
});

/** See docs/reference/contract.md#the-reply. */
export const queryReplySchema = z.object({ result: z.array(record), page: replyPageSchema });

export type ReplyPage = z.infer<typeof replyPageSchema>;
export type QueryReply = z.infer<typeof queryReplySchema>;
