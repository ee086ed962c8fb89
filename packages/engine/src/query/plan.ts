import { type Fault, type QueryRequest, readQueryRequest } from '@proj/contract';
import { pageOffset } from '@proj/paging';
import { closest, distance } from 'fastest-levenshtein';

import { type Grant, visibleModel, visibleModels } from '../catalogue/grant.ts';
import type { Attribute, Catalogue, Model, OrderTerm } from '../catalogue/model.ts';

/** What to read, decided: plain data without SQL. */
export interface Plan {
  readonly model: Model;
  readonly attributes: readonly Attribute[];
  /** Total: it ends with the model's key. */
  readonly order: readonly OrderTerm[];
  readonly page: number;
  readonly size: number;
  readonly offset: bigint;
}

/** Of how many attributes a request learns what it may have meant: comparing names costs more than finding them. */
const SUGGESTED = 20;

/** A plan, or every fault of the request. */
export type Planning = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly faults: Fault[] };

/** Decides what a request body asks for. Unknown and invisible names give the same fault. */
export function planQuery(body: unknown, catalogue: Catalogue, grant: Grant): Planning {
  const reading = readQueryRequest(body);
  const request: Partial<QueryRequest> = reading.ok ? reading.request : reading.wellFormed;
  const model = request.query_model === undefined ? undefined : visibleModel(catalogue, grant, request.query_model);
  const faults = [
    ...(reading.ok ? [] : reading.faults),
    ...(model === undefined
      ? unknownModel(request, catalogue, grant)
      : [...unknownAttributes(request, model), ...sizeFault(request, model)]),
  ];
  if (!reading.ok || model === undefined || faults.length > 0) return { ok: false, faults };
  return { ok: true, plan: makePlan(reading.request, model) };
}

function makePlan(request: QueryRequest, model: Model): Plan {
  return {
    model,
    attributes: request.query_attributes.flatMap((name) => model.attributes.get(name) ?? []),
    order: model.key,
    page: request.page.page,
    size: request.page.size,
    offset: pageOffset(request.page),
  };
}

function unknownModel({ query_model: name }: Partial<QueryRequest>, catalogue: Catalogue, grant: Grant): Fault[] {
  if (name === undefined) return [];
  const visible = visibleModels(catalogue, grant).map((model) => model.name);
  return [
    { pointer: '/query_model', code: 'unknown_model', detail: `No model is named ${quote(name)}.`, ...suggestion(name, visible) },
  ];
}

function unknownAttributes({ query_attributes: names = [] }: Partial<QueryRequest>, model: Model): Fault[] {
  const visible = [...model.attributes.keys()];
  return names.flatMap((name, index) => {
    if (model.attributes.has(name)) return [];
    const detail = `${quote(model.name)} has no attribute named ${quote(name)}.`;
    const pointer = `/query_attributes/${index}`;
    return [{ pointer, code: 'unknown_attribute' as const, detail, ...(index < SUGGESTED ? suggestion(name, visible) : {}) }];
  });
}

function sizeFault({ page }: Partial<QueryRequest>, { maxPageSize }: Model): Fault[] {
  if (page === undefined || page.size <= maxPageSize) return [];
  const detail = `/page/size: this model answers at most ${maxPageSize} elements per page.`;
  return [{ pointer: '/page/size', code: 'size_too_large', detail, maximum: maxPageSize }];
}

/** "Did you mean", only among visible names and only where few letters differ. */
function suggestion(name: string, visible: string[]): { did_you_mean?: string } {
  if (visible.length === 0 || name.length > 64) return {};
  const candidate = closest(name.toLowerCase(), visible);
  const tolerance = Math.max(1, Math.floor(name.length / 3));
  return distance(name.toLowerCase(), candidate.toLowerCase()) <= tolerance ? { did_you_mean: candidate } : {};
}

function quote(name: string): string {
  return JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
}
