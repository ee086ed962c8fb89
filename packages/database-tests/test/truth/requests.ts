import type { QueryTotal } from '@proj/contract';
import { EVERYTHING, Grant, type ModelGrant } from '@proj/engine';

import { type Filter } from './filter.ts';
import type { Shape } from './listing.ts';
import { MODEL_NAMES, type ModelName, OWNERS } from './models.ts';
import type { SortTerm } from './order.ts';

/** Who asks: each kind of caller has rows of its own. */
export interface Audience {
  readonly name: string;
  /** From which owner to which the rows exist for these callers; all where undefined. */
  readonly owners: readonly [number, number] | undefined;
}

export const EVERYBODY: Audience = { name: 'everybody', owners: undefined };
export const NORTH: Audience = { name: 'north', owners: [1, 7] };
export const SOUTH: Audience = { name: 'south', owners: [8, OWNERS] };

/** What somebody asks for, on whichever page. */
export interface Question {
  readonly audience: Audience;
  readonly model: ModelName;
  readonly attributes: readonly string[];
  readonly filter: Filter | undefined;
  readonly sort: readonly SortTerm[];
}

/** One facet of a list, as a request says it. */
export type Facet = ValuesFacet | BinsFacet;

export interface ValuesFacet {
  readonly attribute: string;
  readonly values: number;
  readonly sort: 'count' | 'value';
}

/** Of whole numbers. */
export interface BinsFacet {
  readonly attribute: string;
  readonly bins: number;
}

/** One page of a question, or facets of its list. */
export interface Request {
  readonly question: Question;
  /** Its number, or the `id` of a record that it holds. */
  readonly page: number | { readonly id: number };
  readonly size: number;
  /** How much of the total is asked for. */
  readonly total: QueryTotal;
  /** Asked for in place of the page; undefined for a page. */
  readonly facets?: readonly Facet[];
}

/** The body of a query, or of a request for facets. */
export function bodyOf({
  question: { model, attributes, filter, sort },
  page,
  size,
  total,
  facets,
}: Request): unknown {
  const filtered = { query_model: model, ...(filter !== undefined && { query_filter: filter }) };
  if (facets !== undefined) return { ...filtered, query_facets: facets };
  return {
    ...filtered,
    query_attributes: attributes,
    page: typeof page === 'number' ? { page, size } : { containing: page, size },
    ...(sort.length > 0 && { query_sort: sort }),
    ...(total !== 'exact' && { query_total: total }),
  };
}

/** What the audience may see; a new object each time, as a service may make one for each token. */
export function grantOf(audience: Audience): Grant {
  if (audience.owners === undefined) return EVERYTHING;
  const granted = MODEL_NAMES.map((model): [string, ModelGrant] => [
    model,
    { attributes: 'all', ...rowPolicyOf(audience, model) },
  ]);
  return new Grant(new Map(granted));
}

/** What of a model such a question lists, on all pages together. */
export function shapeOf({ audience, model, filter, sort }: Question): Shape {
  const { rowPolicy } = rowPolicyOf(audience, model);
  return { model, filters: [rowPolicy, filter].filter((part) => part !== undefined), sort };
}

function rowPolicyOf({ owners }: Audience, model: ModelName): { rowPolicy?: Filter } {
  if (owners === undefined) return {};
  const attribute = model === 'owners' ? 'id' : 'owner';
  return { rowPolicy: { attribute, op: 'between', value: owners } };
}
