import { wholeNumber } from '@proj/contract';
import { pageCount } from '@proj/paging';

import { checkArguments } from '../options/checks/check-arguments.ts';
import type { Key } from '../options/list-query.ts';
import type { AnyPageQuery, AnyQuery } from '../options/query.ts';
import { totalNumber, type PageTotal } from '../options/total.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { QueryAnswer, ReadQuery } from '../query/read-query.ts';
import { trackRepetition, type Repetition } from './repetition.ts';

/** One page of a list, checked against its request. */
export interface Page<Item, Total extends PageTotal = bigint> {
  /** The records, 0 to `size` of them. The array is the caller's. */
  readonly records: Item[];
  /**
   * Number of the page, 1 to 2^53 − 1. In key order the pages are counted from where the walk
   * began.
   */
  readonly number: number;
  /** Maximum number of records per page, 1 to 2^53 − 1. */
  readonly size: number;
  /**
   * How many records the whole list had when this page was read. A bigint, exact past 2^53. In key
   * order: those of the pages before it, and those still to be read. `null` where the query asked
   * for no total, or for one up to a number of records that the list passes.
   */
  readonly total: Total;
  /**
   * `total` as a number, for components that take no bigint. `null` where `total` is `null`, and
   * past 2^53 − 1, where numbers are not exact: treat such a list as one of unknown length.
   */
  readonly totalNumber: number | null;
  /**
   * Where the list has more records than were to be counted: one more than that. `null` otherwise.
   * In key order the records of the pages before are added.
   */
  readonly totalAtLeast: bigint | null;
  /** How many pages that makes; 0 for an empty list, `null` without a total. */
  readonly pageCount: Total;
  /** Whether another page follows. False on every page past the end. */
  readonly hasNext: boolean;
  /**
   * Names the state of the data that this page was read from: equal on two pages only if the data
   * was the same. `null` when the service does not know it.
   */
  readonly dataVersion: string | null;
  /**
   * How old the data of this page may be, in seconds, where replicas of the database answer too: it
   * holds everything that the database itself showed so long before the page was read, and 0 is the
   * database itself. `null` when only that answers.
   */
  readonly dataAge: number | null;
  /**
   * Whether records and total may be of different states of the data, because the model is
   * `distributed`. False for every other model.
   */
  readonly isApproximate: boolean;
  /**
   * In key order: the key of the last record so far, to go on behind it later with `after`. It is
   * JSON and may be stored. `null` before the first record, and in page order.
   */
  readonly lastKey: Key | null;
  /**
   * Reads the page after this one; `null` when none follows.
   *
   * @throws {DynamicQueryError} as `query`, and an `EndlessListError` when following `next` meets
   *   the same records over and over.
   */
  next(options?: RequestOptions): Promise<Page<Item, Total> | null>;
  /**
   * Reads the page before this one, by its number; `null` on page 1.
   *
   * @throws {DynamicQueryError} as `query`.
   */
  previous(options?: RequestOptions): Promise<Page<Item, Total> | null>;
  /**
   * Reads the page with that number, 1 to 2^53 − 1, of the same list in the same order. A page past
   * the end is empty.
   *
   * @throws {DynamicQueryError} as `query`.
   * @throws {RangeError} when the number is out of its range.
   */
  at(number: number | bigint, options?: RequestOptions): Promise<Page<Item, Total>>;
}

/** What reading a page takes besides the query. */
interface ReadOptions extends RequestOptions {
  readonly repetition?: Repetition | null;
}

/** Reads and checks one page. */
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

/** The query for a page by its number, from which others are counted, also for that of a record. */
function numbered(
  { containing: _record, ...list }: AnyPageQuery & { readonly containing?: unknown },
  page: number,
): AnyQuery {
  return { ...list, size: wholeNumber(list.size), page };
}

/** What a page has besides its answer. */
interface Place<Item, Total extends PageTotal> extends Pick<
  Page<Item, Total>,
  'number' | 'size' | 'lastKey'
> {
  readonly next: (options: RequestOptions) => Promise<Page<Item, Total> | null>;
  readonly at: (number: number | bigint, options: RequestOptions) => Promise<Page<Item, Total>>;
}

/** A page of an answer and its place in the list. */
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
