import type { Sort } from '@proj/client';

import type { Columns } from './columns.ts';

/** At most so many terms has an order. */
const MOST_TERMS = 5;

/** One term of a grid's order. */
export interface SortedColumn {
  readonly column: string;
  readonly descending: boolean;
}

/**
 * The order that a grid asks for. NULL is the smallest value, as where grids sort by themselves.
 *
 * @throws {MappingError} where the service has no such order.
 */
export function sortOf(columns: Columns, terms: readonly SortedColumn[]): readonly Sort[] {
  if (terms.length > MOST_TERMS)
    columns.refuse(
      'sort',
      `an order has at most ${MOST_TERMS} columns, and the grid asks for ${terms.length}`,
      'fewer columns',
    );
  return terms.map(({ column, descending }) => {
    const entry = columns.entry(column, 'sort');
    if (!entry.sortable)
      columns
        .condition(column, 'sort')
        .refuse(`values of type ${entry.type} have no order`, 'a column without sorting');
    return {
      attribute: column,
      direction: descending ? 'desc' : 'asc',
      ...(entry.nullable && { nulls: descending ? 'last' : 'first' }),
    };
  });
}
