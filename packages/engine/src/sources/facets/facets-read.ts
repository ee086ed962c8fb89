import type { Versioned } from '../reads/primitives.ts';

export interface FoundValues {
  readonly kind: 'values';
  /** The JSON text of an array of values and counts, as it is sent. */
  readonly values: string;
  readonly distinct: bigint;
}

/** How many records have a value between each two bounds. */
export interface FoundBins {
  readonly kind: 'bins';
  /** JSON texts, in order, one more than there are bins; none where there is no bin. */
  readonly bounds: readonly string[];
  readonly counts: readonly bigint[];
  /** How many records have a value in no bin. */
  readonly others: bigint;
  /** Undefined where the values are not added. */
  readonly sum: { readonly text: string | undefined; readonly numbers: bigint } | undefined;
}

export interface FoundCommon {
  readonly nulls: bigint;
  readonly total: bigint;
  /** The JSON texts of the least and the greatest value; undefined where there is none. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

export type FoundFacet = FoundCommon & (FoundValues | FoundBins);

export interface FacetsRead extends Versioned {
  /** In the order of the statement; undefined where their texts are too long. */
  readonly facets: readonly FoundFacet[] | undefined;
  /** How many records the common filter keeps; undefined where a facet is of them. */
  readonly total: bigint | undefined;
}
