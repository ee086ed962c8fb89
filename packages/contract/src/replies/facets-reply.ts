import { pageMetadataSchema } from '@proj/paging/schema';
import * as z from 'zod/mini';

const digits = pageMetadataSchema.shape.total;

const value = z.unknown();

const common = {
  attribute: z.string(),
  /** How many records have no value. */
  nulls: digits,
  /** The least and the greatest value; `null` without values, absent where not sortable. */
  min: z.optional(value),
  max: z.optional(value),
};

/** As many values of an attribute as requested. */
export const valueFacetSchema = z.object({
  ...common,
  values: z.array(z.object({ value, count: digits })),
  /** How many different values there are. */
  distinct: digits,
});

/** Decimal digits, or `NaN`, `Infinity` or `-Infinity`. */
const decimal = z.string();

/** How the values of an attribute are distributed. */
export const binFacetSchema = z.object({
  ...common,
  /** Each from `from` to below `to`, the last one with its `to`. */
  bins: z.array(z.object({ from: value, to: value, count: digits })),
  /** Records with a value in no bin, such as `NaN` or `infinity`. */
  others: digits,
  /** `null` without numbers; absent where the attribute has no sum. */
  sum: z.optional(z.nullable(decimal)),
  average: z.optional(z.nullable(decimal)),
});

/** See docs/reference/contract.md#facets. */
export const facetsReplySchema = z.object({
  facets: z.array(z.union([valueFacetSchema, binFacetSchema])),
  /** How many records the common filter keeps. */
  total: digits,
});

export type ValueFacet = z.infer<typeof valueFacetSchema>;
export type BinFacet = z.infer<typeof binFacetSchema>;
export type FacetsReply = z.infer<typeof facetsReplySchema>;
