import type { Operator } from '@proj/contract';

import type { FilterValue } from '../catalogue/filter-value.ts';
import type { Attribute } from '../catalogue/model.ts';

/** A comparison whose attribute exists and whose values fit it. */
export interface Comparison {
  readonly attribute: Attribute;
  readonly op: Operator;
  /** The values in order; NULL only for `is_distinct`. */
  readonly values: readonly (FilterValue | null)[];
}

/** A filter, checked against a model. */
export type Condition =
  | Comparison
  | { readonly and: readonly Condition[] }
  | { readonly or: readonly Condition[] }
  | { readonly not: Condition };
