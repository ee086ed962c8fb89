import type { Columns } from './columns.ts';
import { allOf, anyOf, type Part } from './filter-parts.ts';

/**
 * The records of which some text attribute holds each of the words, in any letter case. Numbers,
 * dates and other types are not looked into.
 *
 * @throws {MappingError} where no attribute is a text.
 */
export function quickFilter(columns: Columns, words: readonly string[], join = allOf): Part {
  const sought = words.filter((word) => word !== '');
  if (sought.length === 0) return null;
  const { texts } = columns;
  if (texts.length === 0)
    columns.refuse('quick filter', 'no attribute of the model is a text', 'filters of columns');
  return join(
    sought.map((value) =>
      anyOf(texts.map((attribute) => ({ attribute, op: 'icontains' as const, value }))),
    ),
  );
}
