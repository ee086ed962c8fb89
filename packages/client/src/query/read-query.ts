import { API_PATHS, requestBody, wholeNumber } from '@proj/contract';
import { pageOffset } from '@proj/paging';

import type { AnyPageQuery } from '../options/query.ts';
import type { PageTotal } from '../options/total.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { checkReply, type CheckedReply } from './check-reply.ts';
import type { ConvertRecords } from './int64.ts';
import { readShown, type ReadShownParts } from './read-shown.ts';

/** A reply to a query, with the state of the data that it was read from. */
export interface QueryAnswer<Item, Total extends PageTotal = bigint> extends CheckedReply<
  Item,
  Total
> {
  /** The `Data-Version` header, `null` where the service does not know it. */
  readonly dataVersion: string | null;
  /** The `Data-Age` header in seconds, `null` where the database alone answers. */
  readonly dataAge: number | null;
  /** Whether the header `Data-State` says that records and total may be of different states. */
  readonly isApproximate: boolean;
}

/**
 * Sends a query and checks the reply.
 *
 * @throws {DynamicQueryError} of the kinds that one request has, or the signal's reason.
 * @throws {RangeError} when page or size is out of its range; nothing is sent then.
 */
export type ReadQuery = <Item, Total extends PageTotal = bigint>(
  query: AnyPageQuery,
  options: RequestOptions,
) => Promise<QueryAnswer<Item, Total>>;

/** What queries are read with. */
export interface ReadQueryParts extends ReadShownParts {
  readonly convert: ConvertRecords;
}

export function createReadQuery(parts: ReadQueryParts): ReadQuery {
  return async <Item, Total extends PageTotal>(
    query: AnyPageQuery,
    { signal }: RequestOptions,
  ): Promise<QueryAnswer<Item, Total>> => {
    // A page or size out of range is the caller's error and is reported before anything is sent.
    const page = 'page' in query ? wholeNumber(query.page) : 1;
    pageOffset({ page, size: wholeNumber(query.size) });
    const request = { path: API_PATHS.query, body: requestBody(query) };
    const { body, ...state } = await readShown(parts, request, { signal });
    const reply = checkReply<Item, Total>(query, body);
    await parts.convert(query, reply.records, { signal });
    return { ...reply, ...state };
  };
}
