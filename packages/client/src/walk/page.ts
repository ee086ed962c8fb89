import { wholeNumber } from '@proj/contract';
import { pageCount } from '@proj/paging';

import { checkArguments } from '../options/checks/check-arguments.ts';
import type { Key } from '../options/list-query.ts';
import { type AnyPageQuery, type AnyQuery, type PageTotal, totalNumber } from '../options/query.ts';
import type { RequestOptions } from '../options/client-options.ts';
import type { QueryAnswer, ReadQuery } from '../query/read-query.ts';
import { trackRepetition, type Repetition } from './repetition.ts';

/** One page of a list, checked against its request. */
export interface Page<Item, Total extends PageTotal = bigint> {
  /** 0 to `size` records. The array is the caller's. */
  readonly records: Item[];
  /** 1 to 2^53 − 1; in key order counted from where the walk began. */
  readonly number: number;
  /** Maximum number of records, 1 to 2^53 − 1. */
  readonly size: number;
  /**
   * Of the whole list when this page was read, exact past 2^53. In key order: those of earlier
   * pages and those still to be read. `null` without a total, or where the list passes its limit.
   */
  readonly total: Total;
  /** `total` as a number; `null` where `total` is, and past 2^53 − 1 (length unknown). */
  readonly totalNumber: number | null;
  /**
   * The limit plus one, where the list passes it (in key order with earlier pages), else `null`.
   */
  readonly totalAtLeast: bigint | null;
  /** 0 for an empty list, `null` without a total. */
  readonly pageCount: Total;
  /** Whether another page follows. False on every page past the end. */
  readonly hasNext: boolean;
  /** Equal on two pages only if their data was the same. `null` where the service has none. */
  readonly dataVersion: string | null;
  /** At most how many seconds old, 0 for the database itself; `null` where only that answers. */
  readonly dataAge: number | null;
  /** Whether records and total may be of different states, because the model is `distributed`. */
  readonly isApproximate: boolean;
  /**
   * In key order: the last key so far, to continue later with `after`. JSON, fit for storage.
   * `null` before the first record, and in page order.
   */
  readonly lastKey: Key | null;
  /**
   * Reads the next page; `null` when none follows.
   *
   * @throws {DynamicQueryError} as `query`, and an `EndlessListError` when `next` keeps meeting the
   *   same records.
   */
  next(options?: RequestOptions): Promise<Page<Item, Total> | null>;
  /**
   * Reads the previous page by its number; `null` on page 1.
   *
   * @throws {DynamicQueryError} as `query`.
   */
  previous(options?: RequestOptions): Promise<Page<Item, Total> | null>;
  /**
   * Reads the page with that number, 1 to 2^53 − 1, in the same order. A page past the end is
   * empty.
   *
   * @throws {DynamicQueryError} as `query`.
   * @throws {RangeError} when the number is out of its range.
   */
  at(number: number | bigint, options?: RequestOptions): Promise<Page<Item, Total>>;
}

interface ReadOptions extends RequestOptions {
  readonly repetition?: Repetition | null;
}

export async function readPage<Item, Total extends PageTotal = bigint>(
  read: ReadQuery,
  asked: AnyPageQuery,
  options: ReadOptions = {},
): Promise<Page<Item, Total>> {
  const answer = await read<Item, Total>(asked, { signal: options.signal });
  const { number, total, records } = answer;
  const query = numbered(asked, number);
  const { size } = query;
  const facts = { number, size, total, records };
  const repetition = trackRepetition(options.repetition ?? null, facts);
  return createPage<Item, Total>(answer, {
    number,
    size,
    lastKey: null,
    next: async ({ signal }) =>
      answer.hasNext
        ? readPage<Item, Total>(read, { ...query, page: number + 1 }, { signal, repetition })
        : null,
    at: async (page, { signal }) => readPage<Item, Total>(read, { ...query, page }, { signal }),
  });
}

/** Queries a page by number, also from that of a record. */
function numbered(
  { containing: _record, ...list }: AnyPageQuery & { readonly containing?: unknown },
  page: number,
): AnyQuery {
  return { ...list, size: wholeNumber(list.size), page };
}

interface Place<Item, Total extends PageTotal> extends Pick<
  Page<Item, Total>,
  'number' | 'size' | 'lastKey'
> {
  readonly next: (options: RequestOptions) => Promise<Page<Item, Total> | null>;
  readonly at: (number: number | bigint, options: RequestOptions) => Promise<Page<Item, Total>>;
}

export function createPage<Item, Total extends PageTotal = bigint>(
  answer: QueryAnswer<Item, Total>,
  { next, at, ...place }: Place<Item, Total>,
): Page<Item, Total> {
  const total: PageTotal = answer.total;
  return {
    ...answer,
    ...place,
    totalNumber: totalNumber(total),
    pageCount: (total === null ? null : pageCount(total, place.size)) as Total,
    next: async (options = {}) => {
      checkArguments('next', options);
      return next(options);
    },
    previous: async (options = {}) => {
      checkArguments('previous', options);
      return place.number === 1 ? null : at(place.number - 1, options);
    },
    at: async (number, options = {}) => {
      checkArguments('at', number, options);
      return at(number, options);
    },
  };
}
