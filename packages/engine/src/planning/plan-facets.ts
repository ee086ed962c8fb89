import {
  type FacetKind,
  type FacetRequest,
  facetsOf,
  type FacetsRequest,
  readFacetsRequest,
  type RequestError,
} from '@proj/contract';

import type { Grant } from '../catalogue/grant.ts';
import type { Attribute, Catalogue } from '../catalogue/model.ts';
import { type VisibleModel, visibleModel } from '../catalogue/visible-model.ts';
import { withMeantMembers } from './meant-member.ts';
import { unknownModel } from './check-names.ts';
import type { Condition } from './condition.ts';
import type { ListRows } from './list-rows.ts';
import { Names } from './names.ts';
import { type FilterPlanning, planFilter } from './plan-filter.ts';
import { withRowPolicy } from './row-policy.ts';
import { quote } from './unknown-name.ts';

interface FacetOfAttribute {
  readonly attribute: Attribute;
  /** Which records are looked at; all where undefined. It includes the row policy. */
  readonly condition: Condition | undefined;
}

/** The values of an attribute, each with its number of records. */
export interface ValuesPlan extends FacetOfAttribute {
  readonly kind: 'values';
  /** How many values are returned at most. */
  readonly limit: number;
  readonly sort: 'count' | 'value';
}

/** The values of an attribute in even intervals. */
export interface BinsPlan extends FacetOfAttribute {
  readonly kind: 'bins';
  /** How many intervals there are at most. */
  readonly bins: number;
}

export type FacetPlan = ValuesPlan | BinsPlan;

/** Which facets to read: plain data without SQL. */
export interface FacetsPlan extends ListRows {
  /** Which records the total counts; all where undefined. It includes the row policy. */
  readonly condition: Condition | undefined;
  /** In the order of the request. One without a filter of its own has the common condition. */
  readonly facets: readonly FacetPlan[];
}

/** Planned facets, or every error of the request. */
export type FacetsPlanning =
  | { readonly ok: true; readonly plan: FacetsPlan }
  | { readonly ok: false; readonly errors: readonly RequestError[] };

/** Decides what to read for a request body. Unknown and invisible names have the same error. */
export function planFacets(body: unknown, catalogue: Catalogue, grant: Grant): FacetsPlanning {
  const reading = withMeantMembers(readFacetsRequest(body), 'facets');
  const members = reading.ok ? reading.request : reading.wellFormed;
  const { query_model: name, query_filter: filter, query_facets: facets = [] } = members;
  const model = name === undefined ? undefined : visibleModel(catalogue, grant, name);
  const names = model && Names.of(model, catalogue, grant);
  const filtering = names && filter && planFilter(filter, names);
  const errors = [
    ...(reading.ok ? [] : reading.errors),
    ...(names === undefined
      ? unknownModel(members, catalogue, grant)
      : facets.flatMap((facet, index) => facetErrors(facet, index, names))),
    ...(filtering?.errors ?? []),
  ];
  if (!reading.ok || model === undefined || names === undefined || errors.length > 0)
    return { ok: false, errors };
  const condition = withRowPolicy(filtering?.condition, model);
  return { ok: true, plan: planned(reading.request, { model, names, condition }) };
}

function facetErrors(facet: FacetRequest, index: number, names: Names): RequestError[] {
  return [
    ...attributeErrors(facet, index, names),
    ...(ownFilter(facet, index, names)?.errors ?? []),
  ];
}

function attributeErrors(
  { attribute: name, bins }: FacetRequest,
  index: number,
  names: Names,
): RequestError[] {
  const pointer = `/query_facets/${index}/attribute`;
  const { attribute, error } = names.meaningOf(name, pointer);
  if (error !== undefined) return [error];
  const kind: FacetKind = bins === undefined ? 'values' : 'bins';
  if (facetsOf(attribute.type, attribute.items).includes(kind)) return [];
  const detail = `${quote(name)} is ${attribute.type}, which has no facet of ${kind}.`;
  return [{ pointer, code: 'not_facetable', detail }];
}

function ownFilter(
  { query_filter: filter }: FacetRequest,
  index: number,
  names: Names,
): FilterPlanning | undefined {
  return filter && planFilter(filter, names, ['query_facets', index, 'query_filter']);
}

interface PlannedOf {
  readonly model: VisibleModel;
  readonly names: Names;
  /** That of the common filter, with the row policy. */
  readonly condition: Condition | undefined;
}

function planned(
  { query_facets: facets }: FacetsRequest,
  { model, names, condition }: PlannedOf,
): FacetsPlan {
  const plans = facets.flatMap((facet, index): FacetPlan[] => {
    const attribute = names.find(facet.attribute);
    if (attribute === undefined) return [];
    const own = ownFilter(facet, index, names);
    const found = own === undefined ? condition : withRowPolicy(own.condition, model);
    return [facetPlan(facet, { attribute, condition: found })];
  });
  return { ...names.rows, condition, facets: plans };
}

function facetPlan(
  { values, bins, sort = 'count' }: FacetRequest,
  of: FacetOfAttribute,
): FacetPlan {
  return bins === undefined
    ? { ...of, kind: 'values', limit: values ?? 0, sort }
    : { ...of, kind: 'bins', bins };
}
