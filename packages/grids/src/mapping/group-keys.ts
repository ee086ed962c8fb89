import type { Columns } from './columns.ts';
import { allOf, type Part } from './filter-parts.ts';

/** One of the groups in which records lie: the value of a column that they share. */
export interface GroupKey {
  readonly column: string;
  /** As in a record, or as the grid has made a text of it; `null` is the group of NULL. */
  readonly value: unknown;
}

/**
 * The records that lie in each of some groups.
 *
 * @throws {MappingError} where a value is none of its column.
 */
export function groupFilter(columns: Columns, keys: readonly GroupKey[]): Part {
  return allOf(
    keys.map(({ column, value }) => {
      const condition = columns.condition(column, 'group');
      return value === null ? condition.isNull() : condition.compare('eq', value);
    }),
  );
}
