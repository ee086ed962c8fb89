import { queryReplySchema, type ReplyPage } from '@proj/contract';
import { hasNextPage, pageRange } from '@proj/paging';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/invalid-reply-error.ts';
import type { Query } from '../options/query.ts';
import { readBody } from './read-body.ts';

/** A reply that was found to answer its request. */
export interface CheckedReply<Item> {
  readonly records: readonly Item[];
  readonly total: bigint;
  readonly hasNext: boolean;
}

/**
 * A count of 64 bits has 19 digits. The time to read a longer one grows with the square of its
 * length.
 */
const MOST_DIGITS = 40;

/**
 * Reads a reply and checks that it answers the request. The total is free to differ from that of
 * another page: others may write in between. Within one reply everything must agree.
 *
 * @throws {InvalidReplyError} at the first mismatch.
 */
export function checkReply<Item>(query: Query, body: unknown): CheckedReply<Item> {
  const { result, page } = readBody(queryReplySchema, body);
  const total = readTotal(query, page);
  const { count } = pageRange(query, total);
  expect(
    '/result',
    `${count} records on page ${query.page} of size ${query.size} with a total of ${total}`,
    {
      wanted: count,
      got: BigInt(result.length),
    },
  );
  for (const [index, record] of result.entries())
    checkRecord(`/result/${index}`, record, query.attributes);
  return { records: result as readonly Item[], total, hasNext: page.has_next };
}

function readTotal(query: Query, page: ReplyPage): bigint {
  expect('/page/page', `"${query.page}" as requested`, {
    wanted: String(query.page),
    got: page.page,
  });
  expect('/page/size', `"${query.size}" as requested`, {
    wanted: String(query.size),
    got: page.size,
  });
  if (page.total === null) throw invalid('/page/total', 'the total', null);
  if (page.total.length > MOST_DIGITS)
    throw invalid('/page/total', `at most ${MOST_DIGITS} digits`, page.total);
  const total = BigInt(page.total);
  const wanted = hasNextPage(query, total);
  expect('/page/has_next', `${wanted} with a total of ${total}`, { wanted, got: page.has_next });
  return total;
}

function checkRecord(pointer: string, record: object, attributes: readonly string[]): void {
  const missing = attributes.find((attribute) => !Object.hasOwn(record, attribute));
  if (missing !== undefined)
    throw invalid(pointer, `the requested attribute ${describeValue(missing)}`, undefined);
  const names = Object.keys(record);
  if (names.length === attributes.length) return;
  const surplus = names.find((name) => !attributes.includes(name));
  throw invalid(pointer, 'the requested attributes only', surplus);
}

function expect<Value>(
  pointer: string,
  expected: string,
  { wanted, got }: { wanted: Value; got: Value },
): void {
  if (got !== wanted) throw invalid(pointer, expected, got);
}

function invalid(pointer: string, expected: string, got: unknown): InvalidReplyError {
  return new InvalidReplyError({ pointer, expected, got: describeValue(got) });
}
