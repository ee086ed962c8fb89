import {
  type ExportRequest,
  type RequestError,
  type QueryRequest,
  type QueryTotal,
  readExportRequest,
  readQueryRequest,
  readWatchRequest,
  type RequestReading,
  type WatchRequest,
} from '@proj/contract';

import { type Grant, visibleModel } from '../catalogue/grant.ts';
import {
  type Attribute,
  attributeTerm,
  type Catalogue,
  type Model,
  type OrderTerm,
} from '../catalogue/model.ts';
import { suggestMembers } from './suggest-member.ts';
import { modelErrors, type RequestMembers, unknownModel, withLimits } from './check-names.ts';
import type { Condition } from './condition.ts';
import { unreadGroups, unreadRelated, withGivenNames } from './given-names.ts';
import { GroupNames } from './group-names.ts';
import { groupRows, type ListRows } from './list-rows.ts';
import type { ListNames } from './resolved-name.ts';
import { Names } from './names.ts';
import { nameRelated } from './related-names.ts';
import { and, planFilter, rowPolicyOf } from './plan-filter.ts';
import { planRecord } from './plan-record.ts';

/** Which list to read, whatever its page: plain data without SQL. */
export interface Plan extends ListRows {
  readonly attributes: readonly Attribute[];
  /** With the row policy. Default: all. */
  readonly condition: Condition | undefined;
  /** Total: it ends with the key. */
  readonly order: readonly OrderTerm[];
}

export type PagePlace = { readonly page: number } | { readonly record: Condition };

export interface PlannedQuery {
  readonly plan: Plan;
  readonly place: PagePlace;
  readonly size: number;
  /** 0 for no total, undefined for all. */
  readonly countLimit: number | undefined;
  readonly visible: Model;
}

interface PlannedExport {
  readonly plan: Plan;
  readonly csv: ExportRequest['export_csv'];
}

interface PlannedWatch extends Pick<PlannedQuery, 'plan' | 'countLimit' | 'visible'> {
  readonly everyMs: WatchRequest['watch_every_ms'];
}

/** All that is wrong with a request, or what it asks for. */
export type Planned<Asked> =
  | ({ readonly ok: true } & Asked)
  | { readonly ok: false; readonly errors: readonly RequestError[] };

/** Unknown and invisible names give the same error. */
export function planQuery(
  body: unknown,
  catalogue: Catalogue,
  grant: Grant,
): Planned<PlannedQuery> {
  const reading = suggestMembers(readQueryRequest(body), 'query');
  const planning = planList(body, reading, { catalogue, grant });
  if (!planning.ok) return planning;
  const { request, plan, record, visible } = planning;
  const { page, query_total: total } = request;
  const place = placeOf(page, record);
  return { ok: true, plan, place, size: page.size, countLimit: countLimitOf(total), visible };
}

export function planExport(
  body: unknown,
  catalogue: Catalogue,
  grant: Grant,
): Planned<PlannedExport> {
  const reading = suggestMembers(readExportRequest(body), 'export');
  const planning = planList(body, reading, { catalogue, grant });
  if (!planning.ok) return planning;
  return { ok: true, plan: planning.plan, csv: planning.request.export_csv };
}

export function planWatch(
  body: unknown,
  catalogue: Catalogue,
  grant: Grant,
): Planned<PlannedWatch> {
  const reading = suggestMembers(readWatchRequest(body), 'watch');
  const planning = planList(body, reading, { catalogue, grant });
  if (!planning.ok) return planning;
  const { request, plan, visible } = planning;
  const { query_total: total, watch_every_ms: everyMs } = request;
  return { ok: true, plan, everyMs, countLimit: countLimitOf(total), visible };
}

type ListRequest = Pick<
  QueryRequest,
  | 'query_model'
  | 'query_attributes'
  | 'query_filter'
  | 'query_sort'
  | 'query_related'
  | 'query_groups'
  | 'query_aggregates'
  | 'query_group_filter'
>;

interface PlannedList<Request> extends Pick<PlannedQuery, 'plan' | 'visible'> {
  readonly request: Request;
  readonly record: Condition | undefined;
}

function planList<Request extends ListRequest>(
  body: unknown,
  reading: RequestReading<Request>,
  { catalogue, grant }: { readonly catalogue: Catalogue; readonly grant: Grant },
): Planned<PlannedList<Request>> {
  const members: RequestMembers = reading.ok ? reading.request : reading.wellFormed;
  const { query_model: name, query_filter: filter, page } = members;
  const model = name === undefined ? undefined : visibleModel(catalogue, grant, name);
  const names = model && Names.of(model, catalogue, grant);
  const malformed = reading.ok ? [] : reading.errors;
  const unrelated = names && nameRelated(members, names);
  const given = names && withGivenNames(names, unreadRelated(body, malformed));
  const filtering = given && filter && planFilter(filter, given);
  const groups = given && GroupNames.of(members, given);
  const listed = given && withGivenNames(groups ?? given, unreadGroups(body, malformed));
  const kept =
    groups &&
    listed &&
    members.query_group_filter &&
    planFilter(members.query_group_filter, listed, ['query_group_filter']);
  const finding =
    model && page && 'containing' in page ? planRecord(page.containing, model.visible) : undefined;
  // A wrong group is wrong wherever it is named.
  const errors = new Set([
    ...(listed === undefined
      ? [...malformed, ...unknownModel(members, catalogue, grant)]
      : [...withLimits(malformed, listed.model), ...modelErrors(members, listed)]),
    ...(unrelated ?? []),
    ...(groups?.errors ?? []),
    ...(filtering?.errors ?? []),
    ...(kept?.errors ?? []),
    ...(finding?.errors ?? []),
  ]);
  if (!reading.ok || model === undefined || names === undefined || errors.size > 0)
    return { ok: false, errors: [...errors] };
  const { request } = reading;
  const condition = and(rowPolicyOf(model), filtering?.condition);
  const list = groups && groupRows(names.rows, { condition, ...groups.columns });
  const shown: ListNames = groups ?? names;
  const plan: Plan = {
    attributes: request.query_attributes.map((one) => shown.find(one)),
    condition: groups === undefined ? condition : kept?.condition,
    order: totalOrder(request, shown),
    ...(list ?? names.rows),
  };
  return { ok: true, request, plan, record: finding?.record, visible: model.visible };
}

function placeOf(page: QueryRequest['page'], record: Condition | undefined): PagePlace {
  if ('page' in page) return { page: page.page };
  if (record === undefined) throw new Error('A page that is named by a record has one.');
  return { record };
}

function countLimitOf(total: QueryTotal = 'exact'): number | undefined {
  if (total === 'exact') return undefined;
  return total === 'none' ? 0 : total.up_to;
}

/** The caller's sort, the default order, then the key, which leaves no ties. */
export function totalOrder(
  { query_sort: sort = [] }: Pick<QueryRequest, 'query_sort'>,
  names: ListNames,
): OrderTerm[] {
  const { defaultOrder, key } = names;
  const requested = sort.map(({ attribute: name, direction, nulls }) =>
    attributeTerm(names.find(name), direction, nulls),
  );
  return [...withoutRepeats([...requested, ...defaultOrder]), ...key];
}

function withoutRepeats(terms: readonly OrderTerm[]): OrderTerm[] {
  return terms.filter(
    (term, index) => terms.findIndex((other) => isSameColumn(other, term)) === index,
  );
}

/** Attributes may show one column as different types. */
function isSameColumn(a: OrderTerm, b: OrderTerm): boolean {
  return (
    a.column === b.column &&
    a.join === b.join &&
    a.field?.type === b.field?.type &&
    a.field?.storedAs === b.field?.storedAs
  );
}
