import type { RequestedRelated } from '@proj/contract';

import type { ClientOptions, RequestOptions } from '../client-options.ts';
import type { CollectOptions, WalkOptions } from '../walk-options.ts';
import type {
  ExportFileOptions,
  ExportQuery,
  ListQuery,
  WatchOptions,
  WatchQuery,
} from '../list-query.ts';
import type { BinsQuery, FacetsQuery, ValuesQuery } from '../facets-query.ts';
import type { GroupsQuery } from '../groups-query.ts';
import type { PageOfQuery, Query, Selection, Sort } from '../query.ts';
import type { WithRelated } from '../related.ts';

/** All members: the compiler asks for one that is added to the type. */
type NamesOf<Argument> = Readonly<Record<keyof Argument, true>>;

export type Names = Readonly<Record<string, true>>;

const CLIENT: NamesOf<ClientOptions> = {
  baseUrl: true,
  token: true,
  fetch: true,
  timeoutMs: true,
  deadlineMs: true,
  retries: true,
  maxRetryAfterMs: true,
  maxReplyBytes: true,
  int64: true,
  monotonic: true,
  method: true,
  revalidate: true,
  catalogueTag: true,
};
const RELATED: NamesOf<WithRelated<unknown>> = { related: true };
const SELECTION: NamesOf<Selection & WithRelated<unknown>> = {
  model: true,
  attributes: true,
  size: true,
  filter: true,
  sort: true,
  total: true,
  ...RELATED,
};
const PAGE_OF: NamesOf<PageOfQuery> = { ...SELECTION, containing: true };
const QUERY: NamesOf<Query> = { ...SELECTION, page: true };
const LIST: NamesOf<ListQuery> = {
  ...SELECTION,
  order: true,
  from: true,
  after: true,
  maxPages: true,
};
const EXPORT: NamesOf<ExportQuery & WithRelated<unknown>> = {
  model: true,
  attributes: true,
  filter: true,
  sort: true,
  ...RELATED,
};
const WATCHED: NamesOf<WatchQuery & WithRelated<unknown>> = { ...EXPORT, total: true };
const FACETS: NamesOf<FacetsQuery & WithRelated<unknown>> = {
  model: true,
  filter: true,
  facets: true,
  ...RELATED,
};
const GROUPS: NamesOf<GroupsQuery & WithRelated<unknown>> = {
  model: true,
  by: true,
  aggregates: true,
  filter: true,
  groupFilter: true,
  sort: true,
  size: true,
  ...RELATED,
};
const REQUEST: NamesOf<RequestOptions> = { signal: true };
const WATCH: NamesOf<WatchOptions> = { ...REQUEST, everyMs: true };
const WALK: NamesOf<WalkOptions> = {
  ...REQUEST,
  concurrency: true,
  onProgress: true,
  onDrift: true,
};
const EXPORT_FILE: NamesOf<ExportFileOptions> = {
  ...REQUEST,
  format: true,
  csvNull: true,
  csvGuardFormulas: true,
};
const COLLECT: NamesOf<CollectOptions> = { ...WALK, maxRestarts: true };

/** THE table of what each public function takes, argument by argument; `null` is no object. */
export const ARGUMENTS = {
  createClient: [CLIENT],
  query: [QUERY, REQUEST],
  pageOf: [PAGE_OF, REQUEST],
  pages: [LIST, WALK],
  records: [LIST, WALK],
  all: [LIST, COLLECT],
  export: [EXPORT, REQUEST],
  exportFile: [EXPORT, EXPORT_FILE],
  facets: [FACETS, REQUEST],
  watch: [WATCHED, WATCH],
  groups: [GROUPS],
  catalogue: [REQUEST],
  models: [REQUEST],
  model: [null, REQUEST],
  next: [REQUEST],
  previous: [REQUEST],
  at: [null, REQUEST],
  'groups().pages': [WALK],
  'groups().records': [WALK],
  'groups().all': [COLLECT],
  'groups().export': [REQUEST],
  'groups().exportFile': [EXPORT_FILE],
} satisfies Readonly<Record<string, readonly (Names | null)[]>>;

export const SORT_TERM: NamesOf<Sort> = { attribute: true, direction: true, nulls: true };

export const FACET: NamesOf<ValuesQuery & BinsQuery> = {
  attribute: true,
  values: true,
  bins: true,
  time_zone: true,
  sort: true,
  filter: true,
};

export const RELATED_TERM: NamesOf<RequestedRelated[string]> = {
  related: true,
  op: true,
  attribute: true,
  filter: true,
};

export const TOTAL_LIMIT: Names = { upTo: true };

/** By the member that decides the kind of a `filter` node; the last is a comparison. */
export const FILTER_NODES: readonly Names[] = [
  { and: true },
  { or: true },
  { not: true },
  { related: true, some: true, none: true },
  { attribute: true, op: true, value: true, time_zone: true },
];
