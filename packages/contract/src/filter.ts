import type { Operator } from './operators.ts';
import type { RequestError } from './problems.ts';

/** How large a filter may be. */
export const FILTER_LIMITS = {
  /** Nodes on the way from the root to a leaf, both included. */
  depth: 5,
  leaves: 50,
  /** Conditions on related records, one inside the other. */
  related: 2,
  /** Values of all `in` and `not_in` together. */
  values: 1000,
} as const;

/** How many relations a path has at most, and along how many paths a request looks. */
export const RELATION_LIMITS = { steps: 3, paths: 8 } as const;

/**
 * One comparison. `value` is as it came; its type is checked against the attribute's by whoever
 * knows the model.
 */
export interface FilterLeaf {
  readonly attribute: string;
  readonly op: Operator;
  readonly value: unknown;
  /** Of `on`: an IANA zone, whose day it is, for instants. Default: UTC. */
  readonly time_zone?: string;
}

/** The filter `{}` of related records: all of them. */
export type AnyRecord = Readonly<Record<string, never>>;

/**
 * Which of the records that refer to a record, as far as the caller sees them, meet a filter: at
 * least one, or none. `related` is an `inverse` of the catalogue, and the filter is one of the
 * model that refers.
 */
export type RelatedLeaf =
  | { readonly related: string; readonly some: Filter | AnyRecord }
  | { readonly related: string; readonly none: Filter | AnyRecord };

/**
 * A tree of comparisons and of conditions on related records
 * (docs/reference/contract.md#filters-and-sorting).
 */
export type Filter =
  | FilterLeaf
  | RelatedLeaf
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

/** A filter that was read, with the errors that it has by itself. */
export interface FilterReading {
  readonly filter: Filter | undefined;
  readonly errors: RequestError[];
}

/** Whether a filter of related records leaves any out. */
export function isFilter(filter: Filter | AnyRecord): filter is Filter {
  return Object.keys(filter).length > 0;
}
