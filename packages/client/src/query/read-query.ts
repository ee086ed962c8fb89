import { API_PATHS, requestBody, wholeNumber } from '@proj/contract';
import { pageOffset } from '@proj/paging';

import type { AnyPageQuery, PageTotal } from '../options/query.ts';
import type { RequestOptions } from '../options/client-options.ts';
import { checkReply, type CheckedReply } from './check-reply.ts';
import type { ConvertRecords } from './int64.ts';
import { readShown, type ReadShownParts } from './read-shown.ts';

/** With the state of the data that the reply was read from. */
export interface QueryAnswer<Item, Total extends PageTotal = bigint> extends CheckedReply<
  Item,
  Total
> {
  /** `Data-Version`; `null` where the service does not know it. */
  readonly dataVersion: string | null;
  /** `Data-Age` in seconds; `null` where the database alone answers. */
  readonly dataAge: number | null;
  /** `Data-State`: records and total may be of different states. */
  readonly isApproximate: boolean;
}

/**
 * @throws {DynamicQueryError} of the kinds that one request has, or the signal's reason.
 * @throws {RangeError} when page or size is out of its range; nothing is sent then.
 */
export type ReadQuery = <Item, Total extends PageTotal = bigint>(
  query: AnyPageQuery,
  options: RequestOptions,
) => Promise<QueryAnswer<Item, Total>>;

export interface ReadQueryParts extends ReadShownParts {
  readonly convert: ConvertRecords;
}

export function createReadQuery(parts: ReadQueryParts): ReadQuery {
  return async <Item, Total extends PageTotal>(
    query: AnyPageQuery,
    { signal }: RequestOptions,
  ): Promise<QueryAnswer<Item, Total>> => {
    // Out of range is the caller's error, reported before anything is sent.
    const page = 'page' in query ? wholeNumber(query.page) : 1;
    pageOffset({ page, size: wholeNumber(query.size) });
    const request = { path: API_PATHS.query, body: requestBody(query) };
    const { body, ...state } = await readShown(parts, request, { signal });
    const reply = checkReply<Item, Total>(query, body, state);
    await parts.convert(query, reply.records, { signal });
    return { ...reply, ...state };
  };
}
