import { type ModelEntry, type RequestedTotal, watchBody } from '@proj/contract';

import { type Export, type ExportFile, readExport, readExportFile } from './export/read-export.ts';
import { type Groups, readGroups } from './groups/read-groups.ts';
import { readSettings } from './http/settings.ts';
import { createStreamTransport, createTransport } from './http/transport.ts';
import { checkArguments } from './options/checks/check-arguments.ts';
import type { ClientOptions, Int64Of, RequestOptions } from './options/client-options.ts';
import type { CollectOptions, WalkOptions } from './options/walk-options.ts';
import {
  type AnyExportQuery,
  type AnyListQuery,
  type AnyWatchQuery,
  type ExportFileOptions,
  type ExportQuery,
  type ListQuery,
  readEveryMs,
  type WatchOptions,
  type WatchQuery,
} from './options/list-query.ts';
import type { AnyFacetsQuery, FacetQuery, FacetsQuery } from './options/facets-query.ts';
import type {
  AggregateTerms,
  AnyGroupsQuery,
  GroupOf,
  GroupsQuery,
  GroupTerm,
  NoAggregates,
} from './options/groups-query.ts';
import type { AnyModels, AttributeName, ModelName, RecordOf } from './options/models.ts';
import type {
  AnyPageQuery,
  AnyQuery,
  CountedTotal,
  PageOfQuery,
  PageTotal,
  Query,
  TotalOf,
} from './options/query.ts';
import type { NoRelated, RelatedModels, RelatedTerms, WithRelated } from './options/related.ts';
import {
  type Catalogue,
  readCatalogue,
  readModel,
  type ReadModel,
  type ReadModels,
} from './query/catalogue.ts';
import { convertRecords, int64ToBigint } from './query/int64.ts';
import { type FacetFor, type Facets, readFacets } from './query/facets.ts';
import { createReadQuery } from './query/read-query.ts';
import { readPosition, ShownPositions } from './query/read-shown.ts';
import { collectAll, type Collected } from './walk/collect-all.ts';
import { readPage, type Page } from './walk/page.ts';
import { createReadPages, walkRecords } from './walk/walk.ts';
import { type WatchedState, watchList } from './watch/watch-list.ts';

/**
 * Reads the models of one service. {@link createClient} makes it; it holds no connection and needs
 * no closing.
 *
 * Every request rejects with a {@link DynamicQueryError}, with the reason of its aborted signal, or
 * with what the `token` function throws. An unknown or misplaced option is a `TypeError`.
 */
export interface DynamicQueryClient<Models extends Record<keyof Models, object> = AnyModels> {
  /**
   * Reads one page. A page past the end is empty and carries the total.
   *
   * @throws {ProblemError} when the service refuses the request or cannot answer it.
   * @throws {InvalidReplyError} when the reply does not answer this request.
   * @throws {NetworkError | TimeoutError} when no reply arrives, or not in time.
   * @throws {TypeError | RangeError} before sending, for an unknown field, or a page or size out of
   *   range.
   */
  query<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    query: Query<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: RequestOptions,
  ): Promise<
    Page<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>, TotalOf<Total>>
  >;

  /**
   * Reads the page of a list that holds a record, in any order and with any filter. `number` says
   * which page it is; `next`, `previous` and `at` continue from there. The record's place is always
   * counted, the `total` up to a limit if you set one.
   *
   * @throws {ProblemError} as {@link query}; `record_not_in_list` when the list does not have the
   *   record, `no_visible_key` when the token cannot name records of the model.
   * @throws {DynamicQueryError | TypeError | RangeError} as {@link query}.
   */
  pageOf<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends CountedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    query: PageOfQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: RequestOptions,
  ): Promise<
    Page<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>, TotalOf<Total>>
  >;

  /**
   * All pages in order, several requested at once. An empty list has one empty page. Leaving the
   * iteration early aborts pending requests; each iteration reads anew. Concurrent writes can move
   * records from page to page: see `order` and `onDrift`.
   *
   * @throws {EndlessListError} while iterating, as are the errors of {@link query}, when the list
   *   does not end.
   * @throws {DriftError} while iterating, when the data changes and `onDrift` is `error`.
   * @throws {KeyOrderError} while iterating, when the model cannot be read in key order.
   * @throws {TypeError | RangeError} at once when an option is wrong.
   */
  pages<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: ListQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: WalkOptions<TotalOf<Total>>,
  ): AsyncIterable<
    Page<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>, TotalOf<Total>>
  >;

  /** The records of all {@link pages}, one by one. */
  records<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: ListQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: WalkOptions<TotalOf<Total>>,
  ): AsyncIterable<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>>;

  /**
   * The records of all {@link pages} in one array, for lists that fit into memory. It can restart
   * when the data changes.
   *
   * @throws {DynamicQueryError} as {@link pages}.
   * @throws {TypeError | RangeError} when an option is wrong.
   */
  all<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: ListQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: CollectOptions<TotalOf<Total>>,
  ): Promise<
    Collected<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>, TotalOf<Total>>
  >;

  /**
   * Exports a whole list from one state of the data, in one request; a service without exports
   * answers 404. Resolves when the service has begun, after which nothing is retried. `timeoutMs`
   * limits the wait for each piece, `maxReplyBytes` a record; `deadlineMs` does not limit the
   * records.
   *
   * @throws {IncompleteExportError} while iterating, when records are missing; so are {@link
   *   TimeoutError} and {@link InvalidReplyError}.
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  export<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: ExportQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Named> &
      WithRelated<Related>,
    options?: RequestOptions,
  ): Promise<Export<RecordOf<RelatedModels<Models, Model, Related>, Model, Attribute>>>;

  /**
   * The same as a CSV, JSON lines or Parquet file, byte for byte as the service sends it.
   *
   * @throws {DynamicQueryError | TypeError} as {@link export}; those of its bytes, by its stream.
   */
  exportFile<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: ExportQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Named> &
      WithRelated<Related>,
    options: ExportFileOptions,
  ): Promise<ExportFile>;

  /**
   * Counts how often attributes have which value, or how their numbers and dates are distributed:
   * several facets from one state of the data, all exact. A service without facets answers 404.
   *
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  facets<
    const Model extends ModelName<Models>,
    const Asked extends readonly FacetQuery<RelatedModels<Models, Model, Related>, Model>[],
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    query: FacetsQuery<RelatedModels<Models, Model, Related>, Model, Asked, Named> &
      WithRelated<Related>,
    options?: RequestOptions,
  ): Promise<
    Facets<{
      readonly [Place in keyof Asked]: FacetFor<
        RelatedModels<Models, Model, Related>,
        Model,
        Asked[Place]
      >;
    }>
  >;

  /**
   * Groups a model's records by attributes, paths and parts of dates, with exact counts, sums,
   * averages, minima and maxima. Read them as lists: by page, in walks, in one array or as an
   * export.
   *
   * @throws {TypeError} for an unknown field.
   */
  groups<
    const Model extends ModelName<Models>,
    const Term extends GroupTerm<RelatedModels<Models, Model, Related>, Model>,
    const Aggregates extends AggregateTerms<RelatedModels<Models, Model, Related>, Model> =
      NoAggregates,
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    query: GroupsQuery<RelatedModels<Models, Model, Related>, Model, Term, Aggregates, Named> &
      WithRelated<Related>,
  ): Groups<GroupOf<RelatedModels<Models, Model, Related>, Model, Term, Aggregates>>;

  /**
   * The states of a list: one at once, and another whenever the list has changed. A slow consumer
   * skips outdated states. Dropped connections resume; leaving the iteration or aborting the signal
   * ends the watch. A service without watches answers 404.
   *
   * @throws {ProblemError} while iterating, as are the errors of {@link query} before the watch
   *   begins, when the service refuses it, the token expires, or the list can no longer be watched.
   * @throws {TypeError | RangeError} at once when an option is wrong.
   */
  watch<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<RelatedModels<Models, Model, Related>, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
    const Related extends RelatedTerms<Models, Model> = NoRelated,
  >(
    list: WatchQuery<RelatedModels<Models, Model, Related>, Model, Attribute, Total, Named> &
      WithRelated<Related>,
    options?: WatchOptions,
  ): AsyncIterable<WatchedState<TotalOf<Total>>>;

  /**
   * The models that the token may see, and the tag that names them all together.
   *
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  catalogue(options?: RequestOptions): Promise<Catalogue>;

  /**
   * The models that the token may see.
   *
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  models(options?: RequestOptions): Promise<readonly ModelEntry[]>;

  /**
   * One model by its name.
   *
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  model(name: ModelName<Models>, options?: RequestOptions): Promise<ModelEntry>;

  /**
   * Makes every later page include a write, even when a replica answers. `position` is that of the
   * write in the database's log, such as `pg_current_wal_insert_lsn()` of PostgreSQL after the
   * commit, or `@@last_gtid` of MariaDB. Requests that send it reject with a {@link ProblemError}
   * where the service does not understand it (`invalid_position`), and it is forgotten.
   *
   * @throws {TypeError} when the text cannot be a position.
   */
  include(position: string): void;
}

/** Without the types of declared models, which exist for the compiler only. */
interface UntypedClient extends Pick<
  DynamicQueryClient,
  'catalogue' | 'models' | 'model' | 'include'
> {
  query(query: AnyQuery, options?: RequestOptions): Promise<Page<unknown, PageTotal>>;
  pageOf(query: AnyPageQuery, options?: RequestOptions): Promise<Page<unknown, PageTotal>>;
  pages(list: AnyListQuery, options?: AnyWalk): AsyncIterable<Page<unknown, PageTotal>>;
  records(list: AnyListQuery, options?: AnyWalk): AsyncIterable<unknown>;
  all(list: AnyListQuery, options?: AnyCollect): Promise<Collected<unknown, PageTotal>>;
  facets(query: AnyFacetsQuery, options?: RequestOptions): Promise<Facets>;
  groups(query: AnyGroupsQuery): Groups<unknown>;
  watch(list: AnyWatchQuery, options?: WatchOptions): AsyncIterable<WatchedState<PageTotal>>;
  export(list: AnyExportQuery, options?: RequestOptions): Promise<Export<unknown>>;
  exportFile(list: AnyExportQuery, options: ExportFileOptions): Promise<ExportFile>;
}

type AnyWalk = WalkOptions<PageTotal>;

type AnyCollect = CollectOptions<PageTotal>;

/**
 * Makes a client and sends nothing yet. `createClient<Models>`, with the interface that `dq types`
 * writes, checks names of models and attributes and infers the types of records.
 *
 * @throws {TypeError | RangeError} when an option is wrong; the message says what to pass.
 */
export function createClient<Models extends Record<keyof Models, object> = AnyModels>(
  options: ClientOptions & Int64Of<Models>,
): DynamicQueryClient<Models>;
export function createClient(options: ClientOptions): UntypedClient {
  checkArguments('createClient', options);
  const settings = readSettings(options);
  const transport = createTransport(settings);
  const model: ReadModel = async (name, { signal } = {}) => readModel(transport, name, { signal });
  const shown = new ShownPositions();
  const models: ReadModels = async (request) => (await readCatalogue(transport, request)).models;
  const convert = convertRecords(
    settings.int64 === 'bigint' ? int64ToBigint(model, models, settings.catalogue) : undefined,
  );
  const exporting = { transport: createStreamTransport(settings), convert, settings };
  const parts = { transport, convert, shown, monotonic: settings.monotonic };
  const read = createReadQuery(parts);
  const pages = createReadPages(read, model);
  return {
    query: async (query, request = {}) => {
      checkArguments('query', query, request);
      return readPage(read, query, { signal: request.signal });
    },
    pageOf: async (query, request = {}) => {
      checkArguments('pageOf', query, request);
      return readPage(read, query, { signal: request.signal });
    },
    pages: (list, walk = {}) => {
      checkArguments('pages', list, walk);
      return pages(list, walk);
    },
    records: (list, walk = {}) => {
      checkArguments('records', list, walk);
      return walkRecords(pages(list, walk), walk);
    },
    all: async (list, collect = {}) => {
      checkArguments('all', list, collect);
      return collectAll((walk) => pages(list, walk), collect);
    },
    export: async (list, request = {}) => {
      checkArguments('export', list, request);
      return readExport(exporting, list, request);
    },
    exportFile: async (list, file) => {
      checkArguments('exportFile', list, file);
      return readExportFile(exporting, list, file);
    },
    facets: async (query, request = {}) => {
      checkArguments('facets', query, request);
      return readFacets(parts, query, request);
    },
    groups: (query) => {
      checkArguments('groups', query);
      return readGroups({ read, pages, exporting }, query);
    },
    watch: (list, watch = {}) => {
      checkArguments('watch', list, watch);
      const body = watchBody(list, readEveryMs(watch));
      return watchList(exporting, { body, signal: watch.signal });
    },
    catalogue: async (request = {}) => {
      checkArguments('catalogue', request);
      return readCatalogue(transport, request);
    },
    models: async (request = {}) => {
      checkArguments('models', request);
      return models(request);
    },
    model: async (name, request = {}) => {
      checkArguments('model', name, request);
      return model(name, request);
    },
    include: (position) => shown.include(readPosition(position)),
  };
}
