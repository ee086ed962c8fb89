export { createClient, type DynamicQueryClient } from './client.ts';
export type {
  ClientOptions,
  Int64Of,
  RequestOptions,
  TokenRequest,
  TokenSource,
} from './options/client-options.ts';
export type { CollectOptions, OnDrift, Progress, WalkOptions } from './options/walk-options.ts';
export type { QueryFilter } from './options/filter.ts';
export type {
  ExportFileOptions,
  ExportQuery,
  Key,
  ListQuery,
  WatchOptions,
  WatchQuery,
} from './options/list-query.ts';
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
export type {
  AnyModels,
  AttributeName,
  inverses,
  ModelName,
  OwnName,
  RecordOf,
  relations,
} from './options/models.ts';
export type {
  CountedTotal,
  PageOfQuery,
  PageTotal,
  Query,
  Selection,
  Sort,
  TotalOf,
} from './options/query.ts';
export type {
  NoRelated,
  RelatedModels,
  RelatedTerm,
  RelatedTerms,
  WithRelated,
} from './options/related.ts';
export type { wireTypes } from './options/typed-paths.ts';
export { type KnownList, listChange, type ListChange } from './watch/list-change.ts';
export type { WatchedState } from './watch/watch-list.ts';
export type { ExportHead } from './export/open-export.ts';
export type { Export, ExportFile } from './export/read-export.ts';
export type { Catalogue } from './query/catalogue.ts';
export type { BinFacet, FacetFacts, FacetFor, Facets, ValueFacet } from './query/facets.ts';
export type { Collected } from './walk/collect-all.ts';
export type { Groups } from './groups/read-groups.ts';
export type { Page } from './walk/page.ts';
export {
  DriftError,
  type DriftReason,
  type DriftReport,
  DynamicQueryError,
  EndlessListError,
  IncompleteExportError,
  InvalidReplyError,
  KeyOrderError,
  NetworkError,
  type PageState,
  ProblemError,
  type ReplyMismatch,
  type RequestError,
  type TimeLimits,
  TimeoutError,
} from './errors/errors.ts';
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
