import type { AggregateOp, Operator } from '@proj/contract';

import type { FilterValue } from '../catalogue/field.ts';
import type { Attribute, Model, ToOne } from '../catalogue/model.ts';
import type { ComputedValue } from '../catalogue/relation.ts';

/** `on` is planned as comparisons with the ends of a day. */
export type PlannedOperator = Exclude<Operator, 'on'>;

export interface Comparison {
  readonly attribute: Attribute;
  readonly op: PlannedOperator;
  /** NULL only for `is_distinct`. */
  readonly values: readonly (FilterValue | null)[];
}

/** Records of one lead to records of the other. */
export interface Link {
  readonly toOne: ToOne;
  /** Holds the key. */
  readonly owner: Model;
  /** Whose key it is. */
  readonly target: Model;
  /** Unique in the request; fields name it. */
  readonly number: number;
  /** The link it starts from; undefined for the listed rows. */
  readonly from: number | undefined;
}

export interface Join extends Link {
  /** Relations on the way, such as `customer` and `country`. */
  readonly path: readonly string[];
  /** Which targets exist for the caller. Default: all. */
  readonly policy: Condition | undefined;
}

/** Records that refer to a record. */
export interface Referring extends Link {
  readonly joins: readonly Join[];
  /** Which count, with the row policy. Default: all. */
  readonly condition: Condition | undefined;
}

/** Whether records refer to a record and meet a condition; never NULL. */
export interface Referred extends Referring {
  readonly isThere: boolean;
}

/** A count or an aggregate of the records that refer to a listed one. */
export interface RelatedValue extends Referring, Pick<ComputedValue, 'isOfRow' | 'reads'> {
  readonly op: AggregateOp;
  readonly attribute: Attribute | undefined;
}

export type Condition =
  | Comparison
  | { readonly referred: Referred }
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition };

export function conjunctsOf(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return 'and' in condition ? condition.and.flatMap(conjunctsOf) : [condition];
}

export function leavesOf(condition: Condition | undefined): (Comparison | Referred)[] {
  if (condition === undefined) return [];
  if ('and' in condition) return condition.and.flatMap(leavesOf);
  if ('or' in condition) return condition.or.flatMap(leavesOf);
  if ('not' in condition) return leavesOf(condition.not);
  return 'referred' in condition ? [condition.referred] : [condition];
}

export interface NamedColumn {
  readonly column: string;
  readonly join?: number | undefined;
}

export function attributesOf(condition: Condition | undefined): NamedColumn[] {
  return leavesOf(condition).flatMap((leaf): NamedColumn[] =>
    'attribute' in leaf
      ? [leaf.attribute]
      : leaf.toOne.key.map(({ column }) => ({ column, join: leaf.from })),
  );
}
