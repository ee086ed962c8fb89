export { createClient } from './client.ts';
export type { DynamicQueryClient } from './client.ts';
export type {
  ClientOptions,
  Int64Of,
  TokenRequest,
  TokenSource,
} from './options/client-options.ts';
export type { CollectOptions } from './options/collect-options.ts';
export type { QueryFilter } from './options/filter.ts';
export type { ExportFileOptions, ExportQuery } from './options/export-options.ts';
export type { BinsQuery, FacetQuery, FacetsQuery, ValuesQuery } from './options/facets-query.ts';
export type {
  AggregateTerm,
  AggregateTerms,
  GroupFilter,
  GroupOf,
  GroupsQuery,
  GroupTerm,
  NoAggregates,
} from './options/groups-query.ts';
export type { Key, ListQuery } from './options/list-query.ts';
export type { AnyModels, AttributeName, ModelName, OwnName, RecordOf } from './options/models.ts';
export type { PageOfQuery, Query, Selection, Sort } from './options/query.ts';
export type {
  NoRelated,
  RelatedModels,
  RelatedTerm,
  RelatedTerms,
  WithRelated,
} from './options/related.ts';
export type { RequestOptions } from './options/request-options.ts';
export type { CountedTotal, PageTotal, TotalOf } from './options/total.ts';
export type { inverses, relations } from './options/paths/relations.ts';
export type { wireTypes } from './options/wire-type-of.ts';
export type { OnDrift, Progress, WalkOptions } from './options/walk-options.ts';
export type { WatchOptions, WatchQuery } from './options/watch-options.ts';
export { listChange } from './watch/list-change.ts';
export type { KnownList, ListChange } from './watch/list-change.ts';
export type { WatchedState } from './watch/watch-list.ts';
export type { ExportHead } from './export/open-export.ts';
export type { Export, ExportFile } from './export/read-export.ts';
export type { Catalogue } from './query/catalogue.ts';
export type { BinFacet, FacetFacts, FacetFor, Facets, ValueFacet } from './query/facets.ts';
export type { Collected } from './walk/collect-all.ts';
export type { Groups } from './groups/read-groups.ts';
export type { Page } from './walk/page.ts';
export { DriftError } from './errors/drift-error.ts';
export type { DriftReason, DriftReport, PageState } from './errors/drift-report.ts';
export { DynamicQueryError } from './errors/dynamic-query-error.ts';
export { EndlessListError } from './errors/endless-list-error.ts';
export { IncompleteExportError } from './errors/incomplete-export-error.ts';
export { InvalidReplyError } from './errors/invalid-reply-error.ts';
export type { ReplyMismatch } from './errors/invalid-reply-error.ts';
export { KeyOrderError } from './errors/key-order-error.ts';
export { NetworkError } from './errors/network-error.ts';
export { ProblemError } from './errors/problem-error.ts';
export type { RequestError } from './errors/problem-error.ts';
export { TimeoutError } from './errors/timeout-error.ts';
export type { TimeLimits } from './errors/timeout-error.ts';
export type {
  AnyRecord,
  AttributeEntry,
  Filter,
  ModelEntry,
  ProblemCode,
  ReferenceEntry,
  RelatedLeaf,
  RequestedTotal,
  SortTerm,
} from '@proj/contract';
