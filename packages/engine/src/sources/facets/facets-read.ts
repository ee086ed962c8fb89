import type { Versioned } from '../reads/primitives.ts';

/** A facet that was read: the values of an attribute, each with its number of records. */
export interface FoundValues {
  readonly kind: 'values';
  /** The JSON text of an array of values and counts, as it is sent. */
  readonly values: string;
  /** How many different values there are. */
  readonly distinct: bigint;
}

/** A facet that was read: how many records have a value between two of some bounds. */
export interface FoundBins {
  readonly kind: 'bins';
  /** JSON texts, in order, one more than there are bins; none where there is no bin. */
  readonly bounds: readonly string[];
  readonly counts: readonly bigint[];
  /** How many records have a value in no bin. */
  readonly others: bigint;
  /** The sum of the values, and how many they are; undefined where they are not added. */
  readonly sum: { readonly text: string | undefined; readonly numbers: bigint } | undefined;
}

/** What all facets have. */
export interface FoundCommon {
  readonly nulls: bigint;
  /** How many records the facet is of. */
  readonly total: bigint;
  /** The JSON texts of the least and the greatest value; undefined where there is none. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

export type FoundFacet = FoundCommon & (FoundValues | FoundBins);

/** Facets of one snapshot. */
export interface FacetsRead extends Versioned {
  /** In the order of the statement; undefined where their texts are longer than they may be. */
  readonly facets: readonly FoundFacet[] | undefined;
  /** How many records the common filter keeps; undefined where a facet is of them. */
  readonly total: bigint | undefined;
}
