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
import { attributeNamed, type ListNames } from './resolved-name.ts';
import { Names } from './names.ts';
import { nameRelated } from './related-names.ts';
import { and, PlannedFilter, rowPolicyOf } from './plan-filter.ts';
import { planRecord } from './plan-record.ts';

/** Which list to read, whatever its page: plain data without SQL. */
export interface Plan extends ListRows {
  readonly attributes: readonly Attribute[];
  readonly condition: Condition | undefined;
  /** Total: it ends with the key. */
  readonly order: readonly OrderTerm[];
}

export type PagePlace = { readonly page: number } | { readonly record: Condition };

export interface PlannedList<Request = QueryRequest> {
  readonly request: Request;
  readonly plan: Plan;
  /** 0 for no total, undefined for all. */
  readonly countLimit: number | undefined;
  readonly visible: Model;
}

export interface PlannedQuery extends PlannedList {
  readonly place: PagePlace;
}

export type Planned<Asked> =
  | ({ readonly ok: true } & Asked)
  | { readonly ok: false; readonly errors: readonly RequestError[] };

export interface Viewer {
  readonly catalogue: Catalogue;
  readonly grant: Grant;
}

/** Unknown and invisible names give the same error. */
export function planQuery(
  body: unknown,
  catalogue: Catalogue,
  grant: Grant,
): Planned<PlannedQuery> {
  const reading = suggestMembers(readQueryRequest(body), 'query');
  const planning = planList(body, reading, { catalogue, grant });
  if (!planning.ok) return planning;
  const { request, record } = planning;
  if ('page' in request.page) return { ...planning, place: { page: request.page.page } };
  if (record === undefined) throw new Error('A page that is named by a record has one.');
  return { ...planning, place: { record } };
}

export function planExport(body: unknown, viewer: Viewer): Planned<PlannedList<ExportRequest>> {
  return planList(body, suggestMembers(readExportRequest(body), 'export'), viewer);
}

export function planWatch(body: unknown, viewer: Viewer): Planned<PlannedList<WatchRequest>> {
  return planList(body, suggestMembers(readWatchRequest(body), 'watch'), viewer);
}

type ListRequest = Omit<QueryRequest, 'page' | 'query_total'> &
  Partial<Pick<QueryRequest, 'query_total'>>;

function planList<Request extends ListRequest>(
  body: unknown,
  reading: RequestReading<Request>,
  { catalogue, grant }: Viewer,
): Planned<PlannedList<Request> & { readonly record: Condition | undefined }> {
  const members: RequestMembers = reading.ok ? reading.request : reading.wellFormed;
  const { query_model: name = '', query_filter: filter, query_group_filter: keep, page } = members;
  const malformed = reading.ok ? [] : reading.errors;
  const model = visibleModel(catalogue, grant, name);
  if (model === undefined)
    return { ok: false, errors: [...malformed, ...unknownModel(members, catalogue, grant)] };
  const names = Names.of(model, catalogue, grant);
  const unrelated = nameRelated(members, names);
  const given = withGivenNames(names, unreadRelated(body, malformed));
  const filtering = filter && new PlannedFilter(filter, given);
  const groups = GroupNames.of(members, given);
  const listed = withGivenNames(groups ?? given, unreadGroups(body, malformed));
  const kept = groups && keep && new PlannedFilter(keep, listed, ['query_group_filter']);
  const finding =
    page && 'containing' in page ? planRecord(page.containing, model.visible) : undefined;
  // A wrong group is wrong wherever it is named.
  const errors = new Set([
    ...withLimits(malformed, listed.model),
    ...modelErrors(members, listed),
    ...unrelated,
    ...(groups?.errors ?? []),
    ...(filtering?.errors ?? []),
    ...(kept?.errors ?? []),
    ...(finding?.errors ?? []),
  ]);
  if (!reading.ok || errors.size > 0) return { ok: false, errors: [...errors] };
  const { request } = reading;
  const condition = and(rowPolicyOf(model), filtering?.condition);
  const shown: ListNames = groups ?? names;
  if (groups === undefined) names.noteOrder();
  const plan: Plan = {
    attributes: request.query_attributes.map((one) => attributeNamed(one, shown)),
    condition: groups === undefined ? condition : kept?.condition,
    order: totalOrder(request, shown),
    ...(groups ? groupRows(names.rows, { condition, ...groups.columns }) : names.rows),
  };
  const countLimit = countLimitOf(request.query_total);
  const { visible } = model;
  return { ok: true, request, plan, countLimit, visible, record: finding?.record };
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
    attributeTerm(attributeNamed(name, names), direction, nulls),
  );
  const terms = [...requested, ...defaultOrder];
  const first = (term: OrderTerm): number => terms.findIndex((one) => isSameColumn(one, term));
  return [...terms.filter((term, index) => first(term) === index), ...key];
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
