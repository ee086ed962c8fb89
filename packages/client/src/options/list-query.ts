import {
  EXPORT_FORMATS,
  type ExportFormatName,
  type RequestedTotal,
  WATCH_EVERY_MS,
  wholeNumber,
} from '@proj/contract';

import { describeValue } from '../errors/describe-value.ts';
import { integerOption, type RequestOptions } from './client-options.ts';
import type { AnyModels, AttributeName, ModelName, OwnName } from './models.ts';
import type { AnySelection, MaybeGrouped, Selection } from './query.ts';

/** A model's key attributes by name; whole numbers past 2^53 as strings, as they travel. */
export type Key = Readonly<Record<string, unknown>>;

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
   * - `page`: by number, in any `sort`, several pages at once. Concurrent inserts, deletes and
   *   changed order move records from page to page, so a walk may miss some or meet some twice;
   *   `onDrift` reports it.
   * - `key`: in the order of the model's unique key. Every record that exists and passes the filter
   *   throughout, its key unchanged, is delivered exactly once, with the values of when its page
   *   was read; records that come or go meanwhile may be delivered or not. A record whose key
   *   changes may be missed or met twice. Pages follow one at a time. The token must see the whole
   *   key, and filter and sort by it; `sort` and `from` are refused. The service counts what
   *   remains for each page: large pages are cheaper, pages without a `total` cheaper still.
   *
   * @default 'page'
   */
  readonly order?: 'page' | 'key';
  /** In page order: the first page, 1 to 2^53 − 1. @default 1 */
  readonly from?: number | bigint;
  /** In key order: start behind this key, as in `Page.lastKey`. @default the beginning */
  readonly after?: { readonly [Name in OwnName<Models, Model>]?: unknown };
  /**
   * Maximum number of pages, at least 1, or `Infinity`. A safeguard against a list that never ends:
   * passing it is an error.
   *
   * @default 1_000_000
   */
  readonly maxPages?: number;
}

export type AnyListQuery = ListQuery<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

export type List = {
  readonly selection: AnySelection;
  readonly maxPages: number;
} & (
  | { readonly order: 'page'; readonly from: number }
  | { readonly order: 'key'; readonly after: Key | null }
);

/**
 * @throws {RangeError} when `maxPages` is not a whole number of at least 1 or `Infinity`.
 * @throws {TypeError} when `order` is neither, or conflicts with other options.
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

/** Page numbers and `sort` conflict with key order. */
function checkKeyOrder(from: ListQuery['from'], sort: ListQuery['sort']): void {
  if (from !== undefined)
    throw new TypeError(
      'from: does not go with order "key", which has no numbers; pass a key as `after`',
    );
  if (sort !== undefined)
    throw new TypeError('sort: does not go with order "key", which is an order itself');
}

export type ExportQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Named extends string = string,
> = Pick<
  Selection<Models, Model, Attribute, 'exact', Named>,
  'model' | 'attributes' | 'filter' | 'sort'
>;

export type AnyExportQuery = ExportQuery<AnyModels, string, string> & MaybeGrouped;

export interface ExportFileOptions extends RequestOptions {
  /**
   * `jsonl`: one JSON text a line. `csv`: RFC 4180 with a header line; NULL is an empty field, the
   * empty text `""`. `parquet`: typed columns; a service that does not write it answers 406.
   */
  readonly format: ExportFormatName;
  /** Stands for NULL in CSV, unquoted; an equal text is quoted. @default '' */
  readonly csvNull?: string;
  /**
   * Puts an apostrophe before texts that a spreadsheet would run as formulas, which changes the
   * data; numbers stay.
   *
   * @default false
   */
  readonly csvGuardFormulas?: boolean;
}

/** @throws {TypeError} for an unknown format, or options of another one */
export function readExportFormat({ format, csvNull, csvGuardFormulas }: ExportFileOptions):
  | { readonly format: Exclude<ExportFormatName, 'csv'>; readonly csv: undefined }
  | {
      readonly format: 'csv';
      readonly csv: { readonly null?: string; readonly guardFormulas?: boolean } | undefined;
    } {
  if (!Object.hasOwn(EXPORT_FORMATS, format))
    throw new TypeError('format: expected "jsonl", "csv" or "parquet"');
  const csv = {
    ...(csvNull !== undefined && { null: csvNull }),
    ...(csvGuardFormulas !== undefined && { guardFormulas: csvGuardFormulas }),
  };
  const isSaid = Object.keys(csv).length > 0;
  if (format === 'csv') return { format, csv: isSaid ? csv : undefined };
  if (isSaid) throw new TypeError('csvNull, csvGuardFormulas: go with the format "csv" only');
  return { format, csv: undefined };
}

export type WatchQuery<
  Models = AnyModels,
  Model extends ModelName<Models> = ModelName<Models>,
  Attribute extends AttributeName<Models, Model> = AttributeName<Models, Model>,
  Total extends RequestedTotal = 'exact',
  Named extends string = string,
> = Omit<Selection<Models, Model, Attribute, Total, Named>, 'size'>;

export type AnyWatchQuery = WatchQuery<AnyModels, string, string, RequestedTotal> & MaybeGrouped;

export interface WatchOptions extends RequestOptions {
  /** Minimum milliseconds between two states, 100 to 3,600,000. @default 1000 */
  readonly everyMs?: number;
}

/** @throws {RangeError} when `everyMs` is out of its range */
export function readEveryMs({ everyMs }: WatchOptions): number | undefined {
  const { least, most } = WATCH_EVERY_MS;
  return everyMs === undefined ? undefined : integerOption('everyMs', everyMs, [least, most]);
}
