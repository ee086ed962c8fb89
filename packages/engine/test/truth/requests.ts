import type { QueryTotal } from '@proj/contract';

import { EVERYTHING, Grant, type ModelGrant } from '../../src/index.ts';
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

/** One page of a question. */
export interface Request {
  readonly question: Question;
  /** Its number, or the `id` of a record that it holds. */
  readonly page: number | { readonly id: number };
  readonly size: number;
  /** How much of the total is asked for. */
  readonly total: QueryTotal;
}

/** The body of a query. */
export function bodyOf({
  question: { model, attributes, filter, sort },
  page,
  size,
  total,
}: Request): unknown {
  return {
    query_model: model,
    query_attributes: attributes,
    page: typeof page === 'number' ? { page, size } : { containing: page, size },
    ...(filter !== undefined && { query_filter: filter }),
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
