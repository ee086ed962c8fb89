import { type RequestedTotal, wholeNumber } from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import type { AnyModels, AttributeName, ModelName, OwnName } from './models.ts';
import type { AnySelection, MaybeGrouped, Selection } from './query.ts';

/**
 * The values of a model's key attributes, by name; whole numbers past 2^53 as strings, as they
 * travel.
 */
export type Key = Readonly<Record<string, unknown>>;

/** All pages of a model's records, from one of them on. */
export interface ListQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> extends Selection<Models, Model, Attribute, Total, Named> {
  /**
   * How to get from page to page.
   *
   * - `page`: by number, in any `sort`, several pages at once. Each page is read from the data of
   *   its moment: rows that others insert, delete or sort elsewhere meanwhile move records from
   *   page to page, so that the walk misses some or meets some twice. `onDrift` reports it.
   * - `key`: by the model's unique key, in its order. Every record that exists and passes the
   *   filter during the whole walk, its key unchanged, is delivered exactly once, whatever others
   *   write; its values are those of the moment when its page was read. Records that come or go
   *   meanwhile may be delivered or not. One whose key changes may be missed, or met under both
   *   keys. The pages follow each other one at a time, since each begins where the one before it
   *   ended. The token must see the whole key, filter and sort by it; `sort` and `from` are
   *   refused. The service counts for each page what remains to be read, so large pages are
   *   cheaper, and pages without a total (`total`) cheaper still.
   *
   * @default 'page'
   */
  readonly order?: 'page' | 'key';
  /**
   * In page order: number of the page to start with, 1 to 2^53 − 1.
   *
   * @default 1
   */
  readonly from?: number | bigint;
  /**
   * In key order: the key to start behind, as `Page.lastKey` has it.
   *
   * @default the beginning
   */
  readonly after?: { readonly [Name in OwnName<Models, Model>]?: unknown };
  /**
   * How many pages to read at most, at least 1; `Infinity` lifts the limit. It is a safeguard
   * against a server that never says that the list ends: passing it is an error, not the end of the
   * iteration.
   *
   * @default 1_000_000
   */
  readonly maxPages?: number;
}

/** A list as callers ask for it, whatever they ask for. */
export type AnyListQuery = ListQuery<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

/** A list as the code inside reads it. */
export type List = {
  readonly selection: AnySelection;
  readonly maxPages: number;
} & (
  | { readonly order: 'page'; readonly from: number }
  | { readonly order: 'key'; readonly after: Key | null }
);

/**
 * Completes a list.
 *
 * @throws {RangeError} when `maxPages` is not a whole number of at least 1 or `Infinity`.
 * @throws {TypeError} when `order` is neither, or does not go with what else is given.
 */
export function readList({
  order = 'page',
  from,
  after,
  maxPages = 1_000_000,
  ...selection
}: AnyListQuery): List {
  checkMaxPages(maxPages);
  if (order === 'key') {
    checkKeyOrder(from, selection.sort);
    return { selection, maxPages, order, after: after ?? null };
  }
  if (order !== 'page')
    throw new TypeError(`order: expected "page" or "key"; got ${describeValue(order)}`);
  if (after !== undefined)
    throw new TypeError('after: goes with order "key" only; pass the number of a page as `from`');
  return { selection, maxPages, order, from: wholeNumber(from ?? 1) };
}

function checkMaxPages(maxPages: number): void {
  if (maxPages === Infinity || (Number.isInteger(maxPages) && maxPages >= 1)) return;
  throw new RangeError(
    `maxPages: expected a whole number of at least 1, or Infinity; got ${describeValue(maxPages)}`,
  );
}

/** What numbers pages or orders records does not go with the order of the key. */
function checkKeyOrder(from: ListQuery['from'], sort: ListQuery['sort']): void {
  if (from !== undefined)
    throw new TypeError(
      'from: does not go with order "key", which has no numbers; pass a key as `after`',
    );
  if (sort !== undefined)
    throw new TypeError('sort: does not go with order "key", which is an order itself');
}
