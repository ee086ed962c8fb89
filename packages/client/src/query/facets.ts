import type { BinsQuery, FacetQuery } from '../options/facets-query.ts';
import type { ModelName } from '../options/models.ts';
import type { ValueAt } from '../options/paths/paths.ts';

export interface FacetFacts<Value> {
  readonly attribute: string;
  /** How many records have no value. */
  readonly nulls: bigint;
  /** In the order of `sort`; `null` without values, and for arrays, which have no order. */
  readonly min: Value | null;
  readonly max: Value | null;
}

/** How often an attribute has which value. */
export interface ValueFacet<Value = unknown> extends FacetFacts<Value> {
  /** In the order that was asked for; each with the number of records that `eq` finds. */
  readonly values: readonly { readonly value: Value; readonly count: bigint }[];
  readonly distinct: bigint;
}

/** How the values of an attribute are distributed. */
export interface BinFacet<Value = unknown> extends FacetFacts<Value> {
  /** In order: each from `from` to below `to`, the last one with its `to`. */
  readonly bins: readonly { readonly from: Value; readonly to: Value; readonly count: bigint }[];
  /** How many records have a value in no bin, such as NaN. */
  readonly others: bigint;
  /** Decimal digits, `NaN` or `±Infinity`; `null` without numbers, and for dates and times. */
  readonly sum: string | null;
  readonly average: string | null;
}

export type FacetFor<Models, Model extends ModelName<Models>, Query> =
  Query extends Pick<FacetQuery<Models, Model>, 'attribute'>
    ? Query extends Pick<BinsQuery, 'bins'>
      ? BinFacet<NonNullable<ValueAt<Models, Model, Query['attribute']>>>
      : ValueFacet<NonNullable<ValueAt<Models, Model, Query['attribute']>>>
    : never;

/** From one state of the data, in the order of the request. */
export interface Facets<All extends readonly unknown[] = readonly (ValueFacet | BinFacet)[]> {
  readonly facets: All;
  /** How many records the common filter keeps. */
  readonly total: bigint;
  /** As `Page.dataVersion`. */
  readonly dataVersion: string | null;
  /** As `Page.dataAge`. */
  readonly dataAge: number | null;
  /** As `Page.isApproximate`. */
  readonly isApproximate: boolean;
}
