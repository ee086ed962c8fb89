import { type FacetKind, type FacetRequest, facetsOf, readFacetsRequest } from '@proj/contract';

import { type Grant, visibleModel } from '../catalogue/grant.ts';
import type { Attribute, Catalogue } from '../catalogue/model.ts';
import { suggestMembers } from './suggest-member.ts';
import { unknownModel } from './check-names.ts';
import { unreadRelated, withGivenNames } from './given-names.ts';
import {
  type Aggregate,
  type Bins,
  type GroupRows,
  groupRows,
  type ListRows,
  type TableRows,
} from './list-rows.ts';
import { Names } from './names.ts';
import type { Planned } from './plan.ts';
import { and, PlannedFilter, rowPolicyOf } from './plan-filter.ts';
import { nameRelated } from './related-names.ts';
import type { ListNames, ResolvedName } from './resolved-name.ts';
import { readZone } from './zones/time-zone.ts';
import { quote } from './unknown-name.ts';

export interface FacetPlan {
  readonly attribute: Attribute;
  readonly rows: GroupRows;
  readonly by: Bins | undefined;
  readonly limit: number;
  readonly sort: 'count' | 'value';
}

export interface FacetsPlan extends ListRows<TableRows> {
  readonly counted: GroupRows;
  /** As requested. Their own filter replaces that of the request, never the row policy. */
  readonly facets: readonly FacetPlan[];
}

export function planFacets(
  body: unknown,
  catalogue: Catalogue,
  grant: Grant,
): Planned<{ plan: FacetsPlan }> {
  const reading = suggestMembers(readFacetsRequest(body), 'facets');
  const members = reading.ok ? reading.request : reading.wellFormed;
  const { query_model: name = '', query_filter: filter, query_facets: facets = [] } = members;
  const malformed = reading.ok ? [] : reading.errors;
  const model = visibleModel(catalogue, grant, name);
  if (model === undefined)
    return { ok: false, errors: [...malformed, ...unknownModel(members, catalogue, grant)] };
  const names = Names.of(model, catalogue, grant);
  const unrelated = nameRelated(members, names);
  const given = withGivenNames(names, unreadRelated(body, malformed));
  const filtering = filter && new PlannedFilter(filter, given);
  const planned = facets.map((facet, index) => planFacet(facet, index, given));
  // A wrong count is wrong wherever it is named.
  const errors = new Set([
    ...malformed,
    ...unrelated,
    ...planned.flatMap((facet) => facet.errors),
    ...(filtering?.errors ?? []),
  ]);
  if (!reading.ok || errors.size > 0) return { ok: false, errors: [...errors] };
  const list = names.rows;
  const policy = rowPolicyOf(model);
  const groupsOf = (parts: Pick<GroupRows, 'condition' | 'groups'>, sums: Aggregate[] = []) =>
    groupRows(list, { ...parts, aggregates: [RECORDS, ...sums] }).rows;
  const shown = (kept?: PlannedFilter) => and(policy, kept?.condition);
  const plans = planned.flatMap(({ attribute, ownFilter, zone }, index): FacetPlan[] => {
    const { values: limit = 0, sort = 'count', bins } = facets[index] ?? {};
    if (attribute === undefined) return [];
    const by = bins === undefined ? undefined : { bins, zone, place: placeOf(facets, index) };
    const condition = shown(ownFilter ?? filtering);
    const isAdded = by !== undefined && facetsOf(attribute.type).includes('sum');
    const sums: Aggregate[] = isAdded ? [{ name: 'sum', op: 'added', attribute }] : [];
    const groups = [{ name: 'value', attribute, by }];
    return [{ attribute, rows: groupsOf({ condition, groups }, sums), by, limit, sort }];
  });
  const counted = groupsOf({ condition: shown(filtering), groups: [] });
  return { ok: true, plan: { ...list, counted, facets: plans } };
}

const RECORDS: Aggregate = { name: 'count', op: 'count', attribute: undefined };

/** Behind other facets' bounds and their divisors. */
function placeOf(facets: readonly FacetRequest[], index: number): number {
  const before = facets.slice(0, index).flatMap(({ bins }) => bins ?? []);
  return before.reduce((place, bins) => place + bins + 2, 0);
}

/** Plan once: each planned filter numbers its rows. */
function planFacet(facet: FacetRequest, index: number, names: ListNames) {
  const { attribute, error } = facetable(facet, index, names);
  const { query_filter: filter, time_zone: name, bins } = facet;
  const at = { pointer: `/query_facets/${index}/time_zone`, isPart: bins !== undefined };
  const zoned = attribute && readZone(name, attribute, at);
  const path = ['query_facets', index, 'query_filter'];
  const ownFilter = filter && new PlannedFilter(filter, names, path);
  const errors = [error, zoned?.error, ...(ownFilter?.errors ?? [])].filter(
    (one) => one !== undefined,
  );
  return { attribute, zone: zoned?.zone?.name, ownFilter, errors };
}

function facetable(
  { attribute: name, bins }: FacetRequest,
  index: number,
  names: ListNames,
): ResolvedName {
  const pointer = `/query_facets/${index}/attribute`;
  const resolved = names.resolve(name, pointer);
  if (resolved.error !== undefined) return resolved;
  const { type, items } = resolved.attribute;
  const kind: FacetKind = bins === undefined ? 'values' : 'bins';
  if (facetsOf(type, items).includes(kind)) return resolved;
  const detail = `${quote(name)} is ${type}, which has no facet of ${kind}.`;
  return { error: { pointer, code: 'not_facetable', detail } };
}
