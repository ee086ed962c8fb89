import type { Operator } from './operators.ts';
import type { RequestError } from './problems.ts';

/** How large a filter may be. */
export const FILTER_LIMITS = {
  /** Nodes from the root to a leaf, both included. */
  depth: 5,
  leaves: 50,
  /** Nested conditions on related records. */
  related: 2,
  /** All `in` and `not_in` values together. */
  values: 1000,
} as const;

/** The most relations of a path, and paths and related aggregates of a request. */
export const RELATION_LIMITS = { steps: 3, paths: 8, aggregates: 5 } as const;

/** `value` is as sent: its type is checked where the model is known. */
export interface FilterLeaf {
  readonly attribute: string;
  readonly op: Operator;
  readonly value: unknown;
  /** The IANA zone of an `on` day, for instants. Default: UTC. */
  readonly time_zone?: string;
}

/** `{}`: all related records. */
export type AnyRecord = Readonly<Record<string, never>>;

/**
 * Whether some or none of the records that refer to a record meet a filter of their model.
 * `related` is an `inverse` of the catalogue.
 */
export type RelatedLeaf =
  | { readonly related: string; readonly some: Filter | AnyRecord }
  | { readonly related: string; readonly none: Filter | AnyRecord };

/**
 * Comparisons and conditions on related records (docs/reference/contract.md#filters-and-sorting).
 */
export type Filter =
  | FilterLeaf
  | RelatedLeaf
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter };

/** With the errors that it has by itself. */
export interface FilterReading {
  readonly filter: Filter | undefined;
  readonly errors: RequestError[];
}

/** Whether a filter of related records leaves any out. */
export function isFilter(filter: Filter | AnyRecord): filter is Filter {
  return Object.keys(filter).length > 0;
}
