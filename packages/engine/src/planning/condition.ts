import type { Operator } from '@proj/contract';

import type { FilterValue } from '../catalogue/filter-value.ts';
import type { Attribute, Model, ToOne } from '../catalogue/model.ts';

/** `on` is planned as comparisons with the ends of a day. */
export type PlannedOperator = Exclude<Operator, 'on'>;

/** A comparison whose attribute exists and whose values fit it. */
export interface Comparison {
  readonly attribute: Attribute;
  readonly op: PlannedOperator;
  /** The values in order; NULL only for `is_distinct`. */
  readonly values: readonly (FilterValue | null)[];
}

/** Two models of which the records of one lead to records of the other. */
export interface Link {
  readonly toOne: ToOne;
  /** The model whose columns hold the key. */
  readonly owner: Model;
  /** The model whose key they hold. */
  readonly target: Model;
}

/** A relation to one along which the rows of a list are joined with another model. */
export interface Join extends Link {
  /** By which fields name it; no other join of the request has it. */
  readonly number: number;
  /** The names of the relations on the way, such as `customer` and `country`. */
  readonly path: readonly string[];
  /** The number of the join that it starts from; undefined for the listed rows. */
  readonly from: number | undefined;
  /** Which records of the target exist for the caller; all where undefined. */
  readonly policy: Condition | undefined;
}

/** Whether there are records that refer to a record and meet a condition; never NULL. */
export interface Referred extends Link {
  readonly isThere: boolean;
  /** By which fields name the records that refer, as {@link Join} is named. */
  readonly number: number;
  /** The number of the join whose record they refer to; undefined for the listed rows. */
  readonly from: number | undefined;
  /** The relations to one that the condition looks along. */
  readonly joins: readonly Join[];
  /** Which of them count; all where undefined. It includes their row policy. */
  readonly condition: Condition | undefined;
}

/** A filter, checked against a model. */
export type Condition =
  | Comparison
  | { readonly referred: Referred }
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition };

/** Conditions that are met together exactly where a condition is. */
export function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return 'and' in condition ? condition.and.flatMap(conjunctsOf) : [condition];
}

/** The comparisons of a condition, and its questions for records that refer to each one. */
export function leavesOf(condition: Condition | undefined): (Comparison | Referred)[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(leavesOf);
  if ('or' in condition) return condition.or.flatMap(leavesOf);
  if ('not' in condition) return leavesOf(condition.not);
  return 'referred' in condition ? [condition.referred] : [condition];
}
