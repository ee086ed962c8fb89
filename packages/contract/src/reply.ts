import { pageMetadataSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

/** One record of `result`: the requested attributes in the order of the request. */
export type ResultRecord = Record<string, unknown>;

const record = z.custom<ResultRecord>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/**
 * The reply of the query endpoint
 * (https://github.com/dynamic-query/dynamic-query/blob/main/docs/contract.md#the-reply).
 */
export const queryReplySchema = z.object({ result: z.array(record), page: pageMetadataSchema });

export type QueryReply = z.infer<typeof queryReplySchema>;
