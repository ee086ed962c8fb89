import { API_PATHS, requestBody } from '@proj/contract';
import { pageOffset } from '@proj/paging';

import type { Transport } from '../http/transport.ts';
import type { Query } from '../options/query.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { checkReply, type CheckedReply } from './check-reply.ts';
import type { ConvertRecords } from './int64.ts';

/** A reply to a query, with the state of the data that it was read from. */
export interface QueryAnswer<Item> extends CheckedReply<Item> {
  /** The `Data-Version` header, `null` where the service does not know it. */
  readonly dataVersion: string | null;
}

/**
 * Sends a query and checks the reply.
 *
 * @throws {DynamicQueryError} of the kinds that one request has, or the signal's reason.
 * @throws {RangeError} when page or size is out of its range; nothing is sent then.
 */
export type ReadQuery = <Item>(query: Query, options: RequestOptions) => Promise<QueryAnswer<Item>>;

export function createReadQuery(transport: Transport, convert: ConvertRecords): ReadQuery {
  return async <Item>(query: Query, { signal }: RequestOptions): Promise<QueryAnswer<Item>> => {
    // A page or size out of range is the caller's error and is reported before anything is sent.
    pageOffset(query);
    const { body, headers } = await transport({
      path: API_PATHS.query,
      body: requestBody(query),
      signal,
    });
    const reply = checkReply<Item>(query, body);
    await convert(query, reply.records, { signal });
    return { ...reply, dataVersion: dataVersionOf(headers) };
  };
}

/** A header that a proxy garbled says nothing. */
function dataVersionOf(headers: Headers): string | null {
  const version = headers.get('data-version');
  return version !== null && /^[\w-]{1,64}$/.test(version) ? version : null;
}
