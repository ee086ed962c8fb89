import type { Operator } from '@proj/contract';

/**
 * What a condition compares with: the operators of the contract, with `is_null` split into its two
 * truths.
 */
export type ConditionOperator = Operator | 'not_null';

/** One condition as it is typed. */
export interface Condition {
  readonly attribute: string;
  readonly operator: ConditionOperator;
  /**
   * The texts in the inputs: none for `is_null` and `not_null`, two for `between`, any number for
   * lists, else one.
   */
  readonly operands: readonly string[];
}

export interface SortTerm {
  readonly attribute: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * Everything that makes a view of a model, and nothing secret: two readers with the same rights see
 * the same.
 */
export interface ViewState {
  /** Name of the model; `null` before one is chosen. */
  readonly model: string | null;
  /** The attributes to show, in their order; `null` for all of the model's. */
  readonly attributes: readonly string[] | null;
  readonly conditions: readonly Condition[];
  /** Whether a record must meet all conditions or any of them. */
  readonly match: 'all' | 'any';
  /** The first term counts most; empty for the model's own order. */
  readonly sort: readonly SortTerm[];
  /** 1 to 2^53 − 1. */
  readonly page: number;
  /** 1 to 2^53 − 1. */
  readonly size: number;
}

export const FIRST_VIEW: ViewState = {
  model: null,
  attributes: null,
  conditions: [],
  match: 'all',
  sort: [],
  page: 1,
  size: 50,
};
