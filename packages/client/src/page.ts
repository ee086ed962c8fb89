import { pageCount, pageOffset } from '@proj/paging';

import { checkReply } from './check-reply.ts';
import type { RequestOptions } from './options.ts';
import type { Query } from './query.ts';
import { followTrail, type Trail } from './trail.ts';
import type { Transport } from './transport.ts';

/** One page of a list, checked against its request. */
export interface Page<Element> {
  /** The elements, 0 to `size` of them. */
  readonly records: readonly Element[];
  /** Number of the page, 1 to 2^53 − 1. */
  readonly number: number;
  /** Maximum number of elements per page, 1 to 2^53 − 1. */
  readonly size: number;
  /** How many elements the whole list had when this page was read. A bigint, exact past 2^53. */
  readonly total: bigint;
  /** How many pages that makes; 0 for an empty list. */
  readonly pageCount: bigint;
  /** Whether another page follows. False on every page past the end. */
  readonly hasNext: boolean;
  /**
   * Reads the page after this one; `null` when none follows.
   *
   * @throws {DynamicQueryError} as `query`, and an `EndlessListError` when following `next` meets the same elements over and
   * over.
   */
  next(options?: RequestOptions): Promise<Page<Element> | null>;
  /**
   * Reads the page before this one; `null` on page 1.
   *
   * @throws {DynamicQueryError} as `query`.
   */
  previous(options?: RequestOptions): Promise<Page<Element> | null>;
  /**
   * Reads the page with that number, 1 to 2^53 − 1, of the same list. A page past the end is empty.
   *
   * @throws {DynamicQueryError} as `query`.
   * @throws {RangeError} when the number is out of its range.
   */
  at(number: number, options?: RequestOptions): Promise<Page<Element>>;
}

const QUERY_PATH = 'api/v1/dynamic/query';

/** What reading a page takes besides the query. */
interface ReadOptions extends RequestOptions {
  readonly trail?: Trail | null;
}

/** Reads and checks one page. */
export async function readPage<Element>(transport: Transport, query: Query, options: ReadOptions = {}): Promise<Page<Element>> {
  // A page or size out of range is the caller's fault and is named before anything is sent.
  pageOffset(query);
  const body = {
    query_model: query.model,
    query_attributes: query.attributes,
    page: { page: query.page, size: query.size },
    ...(query.filter && { query_filter: query.filter }),
    ...(query.sort && { query_sort: query.sort }),
  };
  const reply = checkReply<Element>(query, await transport({ path: QUERY_PATH, body, signal: options.signal }));
  const facts = { number: query.page, size: query.size, total: reply.total, records: reply.records };
  const trail = followTrail(options.trail ?? null, facts);
  const following = nextQuery(query, reply.hasNext);
  const at: Page<Element>['at'] = async (page, { signal } = {}) => readPage(transport, { ...query, page }, { signal });

  return {
    ...facts,
    pageCount: pageCount(reply.total, query.size),
    hasNext: following !== null,
    next: async ({ signal } = {}) => (following === null ? null : readPage(transport, following, { signal, trail })),
    previous: async (next) => (query.page === 1 ? null : at(query.page - 1, next)),
    at,
  };
}

/** The request for the page that follows, or `null`: everything that reads on derives from it. */
function nextQuery(query: Query, hasNext: boolean): Query | null {
  return hasNext ? { ...query, page: query.page + 1 } : null;
}
