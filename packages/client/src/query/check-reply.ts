import { queryReplySchema, type ReplyPage } from '@proj/contract';
import { hasNextPage, pageRange } from '@proj/paging';

import { describeValue } from '../errors/describe-value.ts';
import { InvalidReplyError } from '../errors/errors.ts';
import type { AnyPageQuery, AnyQuery, PageTotal } from '../options/query.ts';
import { readBody } from '../http/body.ts';

export interface CheckedReply<Item, Total extends PageTotal = bigint> {
  readonly records: Item[];
  /** Of the page that was asked for, or that holds the record. */
  readonly number: number;
  readonly total: Total;
  readonly totalAtLeast: bigint | null;
  readonly hasNext: boolean;
}

/** A count of 64 bits has 19 digits. Longer ones take quadratic time to read. */
export const MOST_DIGITS = 40;

/**
 * Checks that a reply answers the request and agrees with itself. Its total may differ from that of
 * another page; of an approximate reply also from its records.
 *
 * @throws {InvalidReplyError} at the first mismatch.
 */
export function checkReply<Item, Total extends PageTotal = bigint>(
  asked: AnyPageQuery,
  body: unknown,
  { isApproximate = false }: { readonly isApproximate?: boolean } = {},
): CheckedReply<Item, Total> {
  const { result, page } = readBody(queryReplySchema, body);
  const query = 'page' in asked ? asked : { ...asked, page: readNumber(page.page) };
  checkPlace(query, page);
  const limit = countLimitOf(query);
  const total = page.total === null ? null : readTotal(page.total, limit);
  const totalAtLeast = readTotalAtLeast(page, limit);
  const { length: count } = result;
  if (isApproximate) checkSize(query, count);
  else if (total === null) checkUncounted(query, { page, count, totalAtLeast });
  else checkCounted(query, { page, count, total });
  if (query !== asked && count === 0 && !isApproximate)
    throw invalid('/result', 'the record', result);
  for (const [index, record] of result.entries())
    checkRecord(`/result/${index}`, record, query.attributes);
  return {
    records: result as Item[],
    number: readNumber(page.page),
    total: total as Total,
    totalAtLeast,
    hasNext: page.has_next,
  };
}

/** A page found by a record may have any number. */
function readNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw invalid('/page/page', 'a number from 1 to 2^53 − 1', text);
}

function checkPlace(query: AnyQuery, page: ReplyPage): void {
  expect('/page/page', `"${query.page}" as requested`, {
    wanted: String(query.page),
    got: page.page,
  });
  expect('/page/size', `"${query.size}" as requested`, {
    wanted: String(query.size),
    got: page.size,
  });
}

/** `null`: no limit. */
function countLimitOf({ total = 'exact' }: AnyQuery): bigint | null {
  if (total === 'exact') return null;
  return total === 'none' ? -1n : BigInt(total.upTo);
}

function readTotal(text: string, limit: bigint | null): bigint {
  if (text.length > MOST_DIGITS)
    throw invalid('/page/total', `at most ${MOST_DIGITS} digits`, text);
  const total = BigInt(text);
  if (limit !== null && total > limit) throw invalid('/page/total', 'null as requested', text);
  return total;
}

/** Sent only where a total passes the limit. */
function readTotalAtLeast(page: ReplyPage, limit: bigint | null): bigint | null {
  const { total, total_at_least: least } = page;
  if (total === null && limit === null) throw invalid('/page/total', 'the total', null);
  const wanted = total === null && limit !== -1n ? String((limit ?? 0n) + 1n) : undefined;
  expect('/page/total_at_least', wanted ?? 'nothing', { wanted, got: least });
  return wanted === undefined ? null : BigInt(wanted);
}

/** Records and total of different states say nothing about each other. */
function checkSize({ size }: AnyQuery, count: number): void {
  if (count > size) throw invalid('/result', `at most ${size} records`, count);
}

interface Counted {
  readonly page: ReplyPage;
  readonly count: number;
}

function checkCounted(
  query: AnyQuery,
  { page, count, total }: Counted & { readonly total: bigint },
): void {
  const wanted = hasNextPage(query, total);
  expect('/page/has_next', `${wanted} with a total of ${total}`, { wanted, got: page.has_next });
  const { count: expected } = pageRange(query, total);
  expect(
    '/result',
    `${expected} records on page ${query.page} of size ${query.size} with a total of ${total}`,
    { wanted: expected, got: BigInt(count) },
  );
}

/** No fewer than the records that were sent, and a full page where another follows. */
function checkUncounted(
  query: AnyQuery,
  { page, count, totalAtLeast }: Counted & { readonly totalAtLeast: bigint | null },
): void {
  const least = totalAtLeast ?? 0n;
  if (hasNextPage(query, least) && !page.has_next)
    throw invalid('/page/has_next', `true with at least ${least} records`, false);
  const { count: fewest } = page.has_next ? { count: BigInt(query.size) } : pageRange(query, least);
  if (BigInt(count) < fewest || count > query.size)
    throw invalid('/result', `from ${fewest} to ${query.size} records`, count);
}

/**
 * Demands the requested attributes, and no others.
 *
 * @throws {InvalidReplyError} with the place of the first mismatch
 */
export function checkRecord(pointer: string, record: object, attributes: readonly string[]): void {
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
