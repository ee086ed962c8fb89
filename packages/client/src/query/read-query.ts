import { API_PATHS, requestBody } from '@proj/contract';
import { pageOffset } from '@proj/paging';

import { ProblemError } from '../errors/problem-error.ts';
import type { ServiceReply, Transport } from '../http/transport.ts';
import type { AnyPageQuery } from '../options/query.ts';
import type { PageTotal } from '../options/total.ts';
import type { RequestOptions } from '../options/request-options.ts';
import { checkReply, type CheckedReply } from './check-reply.ts';
import type { ConvertRecords } from './int64.ts';
import { isPosition, type ShownPositions } from './shown-positions.ts';

/** A reply to a query, with the state of the data that it was read from. */
export interface QueryAnswer<Item, Total extends PageTotal = bigint> extends CheckedReply<
  Item,
  Total
> {
  /** The `Data-Version` header, `null` where the service does not know it. */
  readonly dataVersion: string | null;
  /** The `Data-Age` header in seconds, `null` where the database alone answers. */
  readonly dataAge: number | null;
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
export interface ReadQueryParts {
  readonly transport: Transport;
  readonly convert: ConvertRecords;
  /** The states that replies have to include. */
  readonly shown: ShownPositions;
  /** Whether these are all that were shown; otherwise only what the caller has asked for. */
  readonly monotonic: boolean;
}

export function createReadQuery({
  transport,
  convert,
  shown,
  monotonic,
}: ReadQueryParts): ReadQuery {
  return async <Item, Total extends PageTotal>(
    query: AnyPageQuery,
    { signal }: RequestOptions,
  ): Promise<QueryAnswer<Item, Total>> => {
    // A page or size out of range is the caller's error and is reported before anything is sent.
    pageOffset('page' in query ? query : { page: 1, size: query.size });
    const send = async (headers: Readonly<Record<string, string>>): Promise<ServiceReply> =>
      transport({ path: API_PATHS.query, body: requestBody(query), headers, signal });
    const asked = shown.all;
    const { body, headers } = await sendBehind(shown, asked, send);
    if (monotonic) shown.noteReply(asked, positionOf(headers));
    const reply = checkReply<Item, Total>(query, body);
    await convert(query, reply.records, { signal });
    return { ...reply, dataVersion: dataVersionOf(headers), dataAge: dataAgeOf(headers) };
  };
}

/** Asks for a state that includes some positions. */
async function sendBehind(
  shown: ShownPositions,
  asked: readonly string[],
  send: (headers: Readonly<Record<string, string>>) => Promise<ServiceReply>,
): Promise<ServiceReply> {
  if (asked.length === 0) return send({});
  try {
    return await send({ 'data-at-least': asked.join(', ') });
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'invalid_position') throw error;
    // The service has another database now, in which those positions mean nothing.
    shown.forget(asked);
    return send({});
  }
}

/** A header that a proxy garbled is not sent back. */
function positionOf(headers: Headers): string | null {
  const position = headers.get('data-position');
  return position !== null && isPosition(position) ? position : null;
}

/** A header that a proxy garbled says nothing. */
export function dataVersionOf(headers: Headers): string | null {
  const version = headers.get('data-version');
  return version !== null && /^[\w-]{1,64}$/.test(version) ? version : null;
}

function dataAgeOf(headers: Headers): number | null {
  const age = headers.get('data-age');
  return age !== null && /^\d{1,9}(\.\d{1,3})?$/.test(age) ? Number(age) : null;
}
