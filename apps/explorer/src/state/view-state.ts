import type { AggregateOp, DateUnit, Operator } from '@proj/contract';

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

/** How many of the parts of a group must hold. */
export const MATCHES = ['all', 'any', 'not_all', 'none'] as const;
export type Match = (typeof MATCHES)[number];

/** Conditions and groups that belong together. One without parts selects everything. */
export interface FilterGroup {
  readonly match: Match;
  readonly parts: readonly FilterNode[];
}

export type FilterNode = Condition | FilterGroup;

export interface SortTerm {
  readonly attribute: string;
  readonly direction: 'asc' | 'desc';
  /** Where NULL goes; as the largest value where absent. */
  readonly nulls?: 'first' | 'last';
}

/** What records of a group have in common. */
export interface GroupTerm {
  /** An attribute, or a path. */
  readonly attribute: string;
  /** The part of time that dates are cut to; `null` for none. */
  readonly unit: DateUnit | null;
}

/** What is computed of each group. */
export interface ComputeTerm {
  readonly operation: AggregateOp;
  /** What is computed with; `null` for the records themselves. */
  readonly attribute: string | null;
}

/** A count or an aggregate of the records that refer to each record. */
export interface RelatedTerm extends ComputeTerm {
  /** That of its column. */
  readonly name: string;
  /** An `inverse` of the catalogue. */
  readonly related: string;
  /** Which related records are looked at; groups within it are never empty. */
  readonly filter: FilterGroup;
}

/** By what the records of a view are grouped, and what is shown of the groups. */
export interface GroupView {
  /** 1 to 5. */
  readonly by: readonly GroupTerm[];
  /** 1 to 10. */
  readonly compute: readonly ComputeTerm[];
  /** Which groups are shown, by their members; groups within it are never empty. */
  readonly filter: FilterGroup;
  /** By names of members; empty for the usual order. */
  readonly sort: readonly SortTerm[];
  /** The name of the member that is drawn; `null` for the first that can be. */
  readonly picture: string | null;
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
  /** At most 5. */
  readonly related: readonly RelatedTerm[];
  /** Groups within it are never empty. */
  readonly filter: FilterGroup;
  /** What any text attribute contains, in any letter case; empty for no search. */
  readonly search: string;
  /** Whose days and hours instants have, such as `Europe/Paris`; `null` for UTC. */
  readonly zone: string | null;
  /** The first term counts most; empty for the model's own order. */
  readonly sort: readonly SortTerm[];
  /** 1 to 2^53 − 1. */
  readonly page: number;
  /** 1 to 2^53 − 1. */
  readonly size: number;
  /** The record beside the table: the texts of its key, in the order of the model's key. */
  readonly record: readonly string[] | null;
  /** Whether the page is still to be found: that which holds the record. Only with a record. */
  readonly seeks: boolean;
  /** `null` where records are shown. The page is one of groups otherwise. */
  readonly group: GroupView | null;
}

export const FIRST_VIEW: ViewState = {
  model: null,
  attributes: null,
  related: [],
  filter: { match: 'all', parts: [] },
  search: '',
  zone: null,
  sort: [],
  page: 1,
  size: 50,
  record: null,
  seeks: false,
  group: null,
};
