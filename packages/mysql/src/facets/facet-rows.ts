import type { RawBuilder } from 'kysely';

type Expression = RawBuilder<unknown>;

/**
 * The columns that rows of all facets have in common, in their order after the place of the facet.
 */
export const ROW_COLUMNS = [
  'bin',
  'size',
  'distinct',
  'nulls',
  'total',
  'form',
  'sum',
  'numbers',
] as const;

/** Columns of each facet alone: another facet's values are of another type. */
export const VALUE_COLUMNS = ['value', 'min', 'max'] as const;

/** What a row of a facet selects; what is not there is NULL. */
export interface FacetRow {
  readonly columns: Partial<Record<(typeof ROW_COLUMNS)[number], Expression>>;
  readonly values: Record<(typeof VALUE_COLUMNS)[number], Expression>;
}

/** The place of the row that has the total, where no facet is of all its records. */
export const TOTAL_PLACE = -1;

/** The place of the rows that have the ends of the values of the first facet of bins; and so on. */
export const RANGE_PLACE = 100;
