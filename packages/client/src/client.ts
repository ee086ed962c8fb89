import { type ModelEntry, type RequestedTotal, watchBody } from '@proj/contract';

import { type Export, type ExportFile, readExport, readExportFile } from './export/read-export.ts';
import { type Groups, readGroups } from './groups/read-groups.ts';
import { readSettings } from './http/settings.ts';
import { createStreamTransport, createTransport } from './http/transport.ts';
import { checkArguments } from './options/checks/check-arguments.ts';
import type { ClientOptions, Int64Of } from './options/client-options.ts';
import type { CollectOptions } from './options/collect-options.ts';
import type { AnyExportQuery, ExportFileOptions, ExportQuery } from './options/export-options.ts';
import type { AnyFacetsQuery, FacetQuery, FacetsQuery } from './options/facets-query.ts';
import type {
  AggregateTerms,
  AnyGroupsQuery,
  GroupOf,
  GroupsQuery,
  GroupTerm,
  NoAggregates,
} from './options/groups-query.ts';
import type { AnyListQuery, ListQuery } from './options/list-query.ts';
import type { AnyModels, AttributeName, RecordOf, ModelName } from './options/models.ts';
import type { AnyPageQuery, AnyQuery, PageOfQuery, Query } from './options/query.ts';
import type { RequestOptions } from './options/request-options.ts';
import type { CountedTotal, PageTotal, TotalOf } from './options/total.ts';
import type { WalkOptions } from './options/walk-options.ts';
import {
  type AnyWatchQuery,
  readEveryMs,
  type WatchOptions,
  type WatchQuery,
} from './options/watch-options.ts';
import { type Catalogue, readCatalogue, readModel, type ReadModel } from './query/catalogue.ts';
import { convertRecords, int64ToBigint } from './query/int64.ts';
import type { FacetFor, Facets } from './query/facets.ts';
import { readFacets } from './query/read-facets.ts';
import { createReadQuery } from './query/read-query.ts';
import { readPosition, ShownPositions } from './query/shown-positions.ts';
import { collectAll, type Collected } from './walk/collect-all.ts';
import { readPage, type Page } from './walk/page.ts';
import { createReadPages } from './walk/read-pages.ts';
import { walkRecords } from './walk/walk.ts';
import { watchList, type WatchedState } from './watch/watch-list.ts';

/**
 * Reads the models of one service. Made by {@link createClient}; it holds no connection and needs
 * no closing.
 *
 * Every request rejects with a {@link DynamicQueryError}, with the reason of its signal once that
 * is aborted, or with what the `token` function throws. An option that a function does not know, or
 * that is in the wrong argument, is a `TypeError`.
 */
export interface DynamicQueryClient<Models extends Record<keyof Models, object> = AnyModels> {
  /**
   * Reads one page. A page past the end is empty and carries the total.
   *
   * @throws {ProblemError} when the service refuses the request or cannot answer it.
   * @throws {InvalidReplyError} when the reply is not an answer to this request.
   * @throws {NetworkError | TimeoutError} when no reply arrives, or not in time.
   * @throws {TypeError | RangeError} when a member is not known, or page or size is out of its
   *   range; nothing is sent then.
   */
  query<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
  >(
    query: Query<Models, Model, Attribute, Total, Named>,
    options?: RequestOptions,
  ): Promise<Page<RecordOf<Models, Model, Attribute>, TotalOf<Total>>>;

  /**
   * Reads the page of a list that holds a record, in whatever order and with whatever filter. Its
   * `number` says which one it is; `next`, `previous` and `at` go on from there. Its `total` can be
   * counted to a limit; the place of the record is counted in any case.
   *
   * @throws {ProblemError} as {@link query}; with the code `record_not_in_list` when the list does
   *   not have the record, and `no_visible_key` when records of the model cannot be named.
   * @throws {DynamicQueryError | TypeError | RangeError} as {@link query}.
   */
  pageOf<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends CountedTotal = 'exact',
    const Named extends string = never,
  >(
    query: PageOfQuery<Models, Model, Attribute, Total, Named>,
    options?: RequestOptions,
  ): Promise<Page<RecordOf<Models, Model, Attribute>, TotalOf<Total>>>;

  /**
   * All pages in order, several requested at once. The iteration ends with the last page that was
   * read if none follows it; an empty list has one empty page. Leaving it early aborts pending
   * requests; each iteration reads anew. What others write meanwhile can move records from page to
   * page: see `order` and `onDrift`.
   *
   * @throws {EndlessListError} when the list does not end; while iterating, as are the errors of
   *   {@link query}.
   * @throws {DriftError} when the data changes and `onDrift` is `error`; while iterating.
   * @throws {KeyOrderError} when the model cannot be read in key order; while iterating.
   * @throws {TypeError | RangeError} at once when an option is wrong.
   */
  pages<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
  >(
    list: ListQuery<Models, Model, Attribute, Total, Named>,
    options?: WalkOptions<TotalOf<Total>>,
  ): AsyncIterable<Page<RecordOf<Models, Model, Attribute>, TotalOf<Total>>>;

  /** The records of all {@link pages}, one by one. */
  records<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
  >(
    list: ListQuery<Models, Model, Attribute, Total, Named>,
    options?: WalkOptions<TotalOf<Total>>,
  ): AsyncIterable<RecordOf<Models, Model, Attribute>>;

  /**
   * The records of all {@link pages} in one array, for lists that fit into memory. It can begin
   * again when the data changes.
   *
   * @throws {DynamicQueryError} as {@link pages}.
   * @throws {TypeError | RangeError} when an option is wrong.
   */
  all<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
  >(
    list: ListQuery<Models, Model, Attribute, Total, Named>,
    options?: CollectOptions<TotalOf<Total>>,
  ): Promise<Collected<RecordOf<Models, Model, Attribute>, TotalOf<Total>>>;

  /**
   * A whole list from one state of the data, in one request, for services that have exports (others
   * answer 404). It resolves when the service has begun; once it has, nothing is repeated.
   * `timeoutMs` limits the wait for each piece of the reply, and `maxReplyBytes` the length of one
   * record; `deadlineMs` does not limit how long the records take.
   *
   * @throws {IncompleteExportError} when not all records have come; while iterating, as are
   *   {@link TimeoutError} and {@link InvalidReplyError}.
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  export<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Named extends string = never,
  >(
    list: ExportQuery<Models, Model, Attribute, Named>,
    options?: RequestOptions,
  ): Promise<Export<RecordOf<Models, Model, Attribute>>>;

  /**
   * The same as a file of CSV, JSON lines or Parquet, byte for byte as the service sends it.
   *
   * @throws {DynamicQueryError | TypeError} as {@link export}; of its bytes, by its stream.
   */
  exportFile<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Named extends string = never,
  >(
    list: ExportQuery<Models, Model, Attribute, Named>,
    options: ExportFileOptions,
  ): Promise<ExportFile>;

  /**
   * What attributes of a model hold: how often they have which value, or how their numbers and
   * dates are distributed; several facets from one state of the data, and every number exact. A
   * service without facets answers 404.
   *
   * @throws {DynamicQueryError | TypeError} as {@link query}.
   */
  facets<
    const Model extends ModelName<Models>,
    const Asked extends readonly FacetQuery<Models, Model>[],
    const Named extends string = never,
  >(
    query: FacetsQuery<Models, Model, Asked, Named>,
    options?: RequestOptions,
  ): Promise<Facets<{ readonly [Place in keyof Asked]: FacetFor<Models, Model, Asked[Place]> }>>;

  /**
   * Groups of a model's records: by attributes, paths and parts of dates, with exact counts, sums,
   * averages and first and last values. They are read as lists are: by page, in walks, in one array
   * or as an export. Their total is their exact number.
   *
   * @throws {TypeError} when a member is not known.
   */
  groups<
    const Model extends ModelName<Models>,
    const Term extends GroupTerm<Models, Model>,
    const Aggregates extends AggregateTerms<Models, Model> = NoAggregates,
    const Named extends string = never,
  >(
    query: GroupsQuery<Models, Model, Term, Aggregates, Named>,
  ): Groups<GroupOf<Models, Model, Term, Aggregates>>;

  /**
   * The states of a list: one at once, and another one when the list has changed. While the
   * consumer is busy, states that are over are left out. A watch that breaks off is begun again; it
   * ends when the iteration is left, or with its signal. A service without watches answers 404.
   *
   * @throws {ProblemError} when the service refuses the request, the token is no longer valid, or
   *   the list can no longer be watched; while iterating, as are the errors of {@link query} before
   *   the service has taken the watch up.
   * @throws {TypeError | RangeError} at once when an option is wrong.
   */
  watch<
    const Model extends ModelName<Models>,
    const Attribute extends AttributeName<Models, Model>,
    const Total extends RequestedTotal = 'exact',
    const Named extends string = never,
  >(
    list: WatchQuery<Models, Model, Attribute, Total, Named>,
    options?: WatchOptions,
  ): AsyncIterable<WatchedState<TotalOf<Total>>>;

  /**
   * The models that the token may see, and what names them all together.
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
   * Makes every page that is read from now on include a write, also where replicas of the database
   * answer. `position` is that of the write in the database's log, such as
   * `pg_current_wal_insert_lsn()` of PostgreSQL after the commit, or `@@last_gtid` of MariaDB.
   *
   * @throws {TypeError} when the text cannot be a position.
   */
  include(position: string): void;
}

/** The client without the types of declared models, which exist for the compiler only. */
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
 * Makes a client. Nothing is sent yet. `createClient<Models>` with an interface of models, as `dq
 * types` writes it, lets the compiler check the names of models and attributes and infer the types
 * of the records.
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
  const convert = convertRecords(settings.int64 === 'bigint' ? int64ToBigint(model) : undefined);
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
      return (await readCatalogue(transport, request)).models;
    },
    model: async (name, request = {}) => {
      checkArguments('model', name, request);
      return model(name, request);
    },
    include: (position) => shown.add(readPosition(position)),
  };
}
