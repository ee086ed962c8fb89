import {
  type Fault,
  type QueryRequest,
  type QueryRequestReading,
  readQueryRequest,
  SORTABLE_TYPES,
} from '@proj/contract';
import { pageOffset } from '@proj/paging';

import { type Grant, type VisibleModel, visibleModel, visibleModels } from '../catalogue/grant.ts';
import type { Attribute, Catalogue, Model, OrderTerm } from '../catalogue/model.ts';
import { attributeTerm } from '../catalogue/order.ts';
import { type Condition, planFilter } from './plan-filter.ts';
import { quote, suggestion, unknownAttribute } from './unknown-name.ts';

/** What to read, decided: plain data without SQL. */
export interface Plan {
  readonly model: Model;
  readonly attributes: readonly Attribute[];
  /** Which elements; all where undefined. */
  readonly condition: Condition | undefined;
  /** Total: it ends with the model's key. */
  readonly order: readonly OrderTerm[];
  readonly page: number;
  readonly size: number;
  readonly offset: bigint;
}

/** A plan, or every fault of the request. */
export type Planning =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly faults: Fault[] };

/** The members of a request that are well-formed by themselves. */
type Members = Extract<QueryRequestReading, { ok: false }>['wellFormed'];

/** Decides what a request body asks for. Unknown and invisible names give the same fault. */
export function planQuery(body: unknown, catalogue: Catalogue, grant: Grant): Planning {
  const reading = readQueryRequest(body);
  const members: Members = reading.ok ? reading.request : reading.wellFormed;
  const visible =
    members.query_model === undefined
      ? undefined
      : visibleModel(catalogue, grant, members.query_model);
  const filtering =
    visible && members.query_filter && planFilter(members.query_filter, visible.model);
  const faults = [
    ...(reading.ok ? [] : reading.faults),
    ...(visible === undefined
      ? unknownModel(members, catalogue, grant)
      : modelFaults(members, visible.model)),
    ...(filtering?.faults ?? []),
  ];
  if (!reading.ok || visible === undefined || faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    plan: makePlan(reading.request, visible.model, restricted(filtering?.condition, visible)),
  };
}

/** The caller's condition, and always that of the grant. */
function restricted(
  condition: Condition | undefined,
  { rows, whole }: VisibleModel,
): Condition | undefined {
  if (rows === undefined) return condition;
  const { condition: restriction, faults } = planFilter(rows, whole);
  // Without the restriction the caller would see rows of others.
  if (restriction === undefined || faults.length > 0)
    throw new Error(`The row filter of ${whole.name} does not fit the model.`);
  return condition === undefined ? restriction : { and: [restriction, condition] };
}

function makePlan(request: QueryRequest, model: Model, condition: Condition | undefined): Plan {
  return {
    model,
    attributes: request.query_attributes.flatMap((name) => model.attributes.get(name) ?? []),
    condition,
    order: totalOrder(request, model),
    page: request.page.page,
    size: request.page.size,
    offset: pageOffset(request.page),
  };
}

/** The caller's sort, then the model's default order, then always its key, which leaves no ties. */
function totalOrder({ query_sort: sort = [] }: QueryRequest, model: Model): OrderTerm[] {
  const asked = sort.flatMap(({ attribute: name, direction, nulls }) => {
    const attribute = model.attributes.get(name);
    return attribute === undefined ? [] : [attributeTerm(attribute, direction, nulls)];
  });
  const terms: OrderTerm[] = [...asked, ...model.defaultOrder];
  return [
    ...terms.filter(
      (term, index) => terms.findIndex((other) => isSameColumn(other, term)) === index,
    ),
    ...model.key,
  ];
}

/** Two attributes may show one column as different types. */
function isSameColumn(a: OrderTerm, b: OrderTerm): boolean {
  return (
    a.column === b.column &&
    a.field?.type === b.field?.type &&
    a.field?.storedAs === b.field?.storedAs
  );
}

function modelFaults(members: Members, model: Model): Fault[] {
  return [
    ...unknownAttributes(members, model),
    ...sizeFault(members, model),
    ...sortFaults(members, model),
  ];
}

function unknownModel({ query_model: name }: Members, catalogue: Catalogue, grant: Grant): Fault[] {
  if (name === undefined) return [];
  const visible = visibleModels(catalogue, grant).map((model) => model.name);
  return [
    {
      pointer: '/query_model',
      code: 'unknown_model',
      detail: `No model is named ${quote(name)}.`,
      ...suggestion(name, visible),
    },
  ];
}

function unknownAttributes({ query_attributes: names = [] }: Members, model: Model): Fault[] {
  return names.flatMap((name, index) =>
    model.attributes.has(name) ? [] : [unknownAttribute(name, model, `/query_attributes/${index}`)],
  );
}

function sortFaults({ query_sort: terms = [] }: Members, model: Model): Fault[] {
  return terms.flatMap(({ attribute: name }, index) => {
    const pointer = `/query_sort/${index}/attribute`;
    const attribute = model.attributes.get(name);
    if (attribute === undefined) return [unknownAttribute(name, model, pointer)];
    if (SORTABLE_TYPES.has(attribute.type)) return [];
    return [
      {
        pointer,
        code: 'not_sortable' as const,
        detail: `${quote(name)} is ${attribute.type}, which has no order.`,
      },
    ];
  });
}

function sizeFault({ page }: Members, { maxPageSize }: Model): Fault[] {
  if (page === undefined || page.size <= maxPageSize) return [];
  const detail = `/page/size: this model answers at most ${maxPageSize} elements per page.`;
  return [{ pointer: '/page/size', code: 'size_too_large', detail, maximum: maxPageSize }];
}
