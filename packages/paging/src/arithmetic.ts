/**
 * One page of a list, by number.
 *
 * Both members are whole numbers from 1 to 2^53 − 1 (`Number.MAX_SAFE_INTEGER`); a `bigint` may be
 * larger. −0 is the number 0: refused here, and a total of −0 is a total of 0.
 */
export interface PageRequest<N extends number | bigint = number | bigint> {
  /** Number of the page; counting starts at 1. */
  readonly page: N;
  /** Maximum number of records per page. */
  readonly size: N;
}

/** Which records of the whole list a page holds. Record numbers start at 1. */
export interface PageRange {
  /** Number of the page's first record, or `null` when the page is empty. */
  readonly first: bigint | null;
  /** Number of the page's last record, or `null` when the page is empty. */
  readonly last: bigint | null;
  /** How many records the page holds, 0 … size. */
  readonly count: bigint;
}

/**
 * How many records come before the page: `(page − 1) × size`. Exact for every legal request, also
 * where the product passes 2^53.
 *
 * @throws {RangeError} when page or size is not a whole number of at least 1.
 */
export function pageOffset(request: PageRequest): bigint {
  const page = wholeNumber('page', request.page, 1n);
  const size = wholeNumber('size', request.size, 1n);
  return (page - 1n) * size;
}

/**
 * How many pages the list has: `ceil(total / size)`. 0 for an empty list.
 *
 * @throws {RangeError} when total is not a whole number of at least 0, or size of at least 1.
 */
export function pageCount(total: number | bigint, size: number | bigint): bigint {
  const records = wholeNumber('total', total, 0n);
  const perPage = wholeNumber('size', size, 1n);
  return (records + perPage - 1n) / perPage;
}

/**
 * The number of the last page. Unlike {@link pageCount} it is 1 for an empty list, whose first page
 * exists and is empty.
 *
 * @throws {RangeError} as {@link pageCount}.
 */
export function lastPage(total: number | bigint, size: number | bigint): bigint {
  const pages = pageCount(total, size);
  return pages === 0n ? 1n : pages;
}

/**
 * Whether another page follows: exactly when `page × size < total`. False on every page past the
 * end.
 *
 * @throws {RangeError} when a quantity is out of its range.
 */
export function hasNextPage(request: PageRequest, total: number | bigint): boolean {
  const records = wholeNumber('total', total, 0n);
  const end = pageOffset(request) + BigInt(request.size);
  return end < records;
}

/**
 * Whether the page is the last one of the list. False on a page past the end, where
 * {@link hasNextPage} is false too.
 *
 * @throws {RangeError} when a quantity is out of its range.
 */
export function isLastPage(request: PageRequest, total: number | bigint): boolean {
  const page = wholeNumber('page', request.page, 1n);
  return page === lastPage(total, request.size);
}

/**
 * The numbers of the first and the last record on the page: "records 21 to 30".
 *
 * @throws {RangeError} when a quantity is out of its range.
 */
export function pageRange(request: PageRequest, total: number | bigint): PageRange {
  const records = wholeNumber('total', total, 0n);
  const offset = pageOffset(request);
  const end = offset + BigInt(request.size);
  const last = end < records ? end : records;
  const count = last > offset ? last - offset : 0n;
  return count === 0n ? { first: null, last: null, count } : { first: offset + 1n, last, count };
}

function wholeNumber(name: string, value: number | bigint, minimum: bigint): bigint {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw outOfRange(name, value, minimum);
  const whole = BigInt(value);
  if (whole < minimum) throw outOfRange(name, value, minimum);
  return whole;
}

function outOfRange(name: string, value: unknown, minimum: bigint): RangeError {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return new RangeError(
    `${name}: expected a whole number of at least ${minimum}, ` +
      `at most 2^53 − 1 or a bigint; got ${isNumber ? value : `one of type ${typeof value}`}`,
  );
}
