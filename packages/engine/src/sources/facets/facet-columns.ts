/**
 * The columns in which a statement returns a facet, all of them texts.
 *
 * - `found`: the values with their numbers of records, as the JSON text of the reply; of bins, a
 *   JSON
 *   text of pairs: the place of a bin, from 1 on, and its number of records
 * - `distinct`: how many values there are; NULL for bins
 * - `nulls`, `others`: how many records have NULL, or a value in no bin
 * - `total`: how many records the facet is of
 * - `min`, `max`: the least and the greatest value as JSON; of bins only where values are in none
 * - `sum`, `numbers`: the sum of the values, that of floating point numbers divided by the divisor,
 *   and how many they are
 */
export const FACET_COLUMNS = [
  'found',
  'distinct',
  'nulls',
  'others',
  'total',
  'min',
  'max',
  'sum',
  'numbers',
] as const;

export type FacetColumn = (typeof FACET_COLUMNS)[number];

/** A facet as a statement returns it. */
export type FacetCells = Readonly<Record<FacetColumn, string | null>>;
