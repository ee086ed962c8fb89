import { pageCount } from '@proj/paging';

import { checkArguments } from '../options/check-arguments.ts';
import type { Key } from '../options/list-query.ts';
import type { Query } from '../options/query.ts';
import type { RequestOptions } from '../options/request-options.ts';
import type { QueryAnswer, ReadQuery } from '../query/read-query.ts';
import { trackRepetition, type Repetition } from './repetition.ts';

/** One page of a list, checked against its request. */
export interface Page<Item> {
  /** The records, 0 to `size` of them. */
  readonly records: readonly Item[];
  /**
   * Number of the page, 1 to 2^53 − 1. In key order the pages are counted from where the walk
   * began.
   */
  readonly number: number;
  /** Maximum number of records per page, 1 to 2^53 − 1. */
  readonly size: number;
  /**
   * How many records the whole list had when this page was read. A bigint, exact past 2^53. In key
   * order: those of the pages before it, and those still to be read.
   */
  readonly total: bigint;
  /** How many pages that makes; 0 for an empty list. */
  readonly pageCount: bigint;
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
  next(options?: RequestOptions): Promise<Page<Item> | null>;
  /**
   * Reads the page before this one, by its number; `null` on page 1.
   *
   * @throws {DynamicQueryError} as `query`.
   */
  previous(options?: RequestOptions): Promise<Page<Item> | null>;
  /**
   * Reads the page with that number, 1 to 2^53 − 1, of the same list in the same order. A page past
   * the end is empty.
   *
   * @throws {DynamicQueryError} as `query`.
   * @throws {RangeError} when the number is out of its range.
   */
  at(number: number, options?: RequestOptions): Promise<Page<Item>>;
}

/** What reading a page takes besides the query. */
interface ReadOptions extends RequestOptions {
  readonly repetition?: Repetition | null;
}

/** Reads and checks one page. */
export async function readPage<Item>(
  read: ReadQuery,
  query: Query,
  options: ReadOptions = {},
): Promise<Page<Item>> {
  const answer = await read<Item>(query, { signal: options.signal });
  const { page: number, size } = query;
  const { total, records } = answer;
  const facts = { number, size, total, records };
  const repetition = trackRepetition(options.repetition ?? null, facts);
  const following = nextQuery(query, answer.hasNext);
  return createPage(answer, {
    number,
    size,
    lastKey: null,
    next: async ({ signal }) =>
      following === null ? null : readPage(read, following, { signal, repetition }),
    at: async (page, { signal }) => readPage(read, { ...query, page }, { signal }),
  });
}

/** What a page has besides its answer. */
interface Place<Item> extends Pick<Page<Item>, 'number' | 'size' | 'lastKey'> {
  readonly next: (options: RequestOptions) => Promise<Page<Item> | null>;
  readonly at: (number: number, options: RequestOptions) => Promise<Page<Item>>;
}

/** A page of an answer and its place in the list. */
export function createPage<Item>(
  answer: QueryAnswer<Item>,
  { next, at, ...place }: Place<Item>,
): Page<Item> {
  return {
    ...answer,
    ...place,
    pageCount: pageCount(answer.total, place.size),
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

/** The request for the page that follows, or `null`: everything that reads on derives from it. */
function nextQuery(query: Query, hasNext: boolean): Query | null {
  return hasNext ? { ...query, page: query.page + 1 } : null;
}
