import { pageMetadataSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

const digits = pageMetadataSchema.shape.total;

/** A value in its wire form. */
const value = z.unknown();

/** The members of both kinds of facets. */
const common = {
  attribute: z.string(),
  /** How many records have no value. */
  nulls: digits,
  /**
   * The least and the greatest value in the order of `query_sort`; `null` where there is none,
   * absent where the attribute cannot be sorted by.
   */
  min: z.optional(value),
  max: z.optional(value),
};

/** The values of an attribute, as many of them as were asked for. */
export const valueFacetSchema = z.object({
  ...common,
  values: z.array(z.object({ value, count: digits })),
  /** How many different values there are. */
  distinct: digits,
});

/** A sum or an average: decimal digits, or `NaN`, `Infinity` or `-Infinity`. */
const decimal = z.string();

/** How the values of an attribute are distributed. */
export const binFacetSchema = z.object({
  ...common,
  /** Each from `from` to below `to`, the last one with its `to`. */
  bins: z.array(z.object({ from: value, to: value, count: digits })),
  /** How many records have a value that is in no bin, such as `NaN` or `infinity`. */
  others: digits,
  /** `null` where there is no number; absent where the attribute has none. */
  sum: z.optional(z.nullable(decimal)),
  average: z.optional(z.nullable(decimal)),
});

/**
 * The reply of the facets endpoint
 * (docs/reference/contract.md#facets).
 */
export const facetsReplySchema = z.object({
  facets: z.array(z.union([valueFacetSchema, binFacetSchema])),
  /** How many records the common filter keeps. */
  total: digits,
});

export type ValueFacet = z.infer<typeof valueFacetSchema>;
export type BinFacet = z.infer<typeof binFacetSchema>;
export type FacetsReply = z.infer<typeof facetsReplySchema>;
