import type { Filter } from '@proj/client';
import { FILTER_LIMITS } from '@proj/contract';

import type { Columns } from './columns.ts';

/** A filter, or `null`: every record. */
export type Part = Filter | null;

/** The records that pass all parts. */
export function allOf(parts: readonly Part[]): Part {
  const filters = parts
    .filter((part) => part !== null)
    .flatMap((part) => ('and' in part ? part.and : [part]));
  return group(filters, (and) => ({ and }));
}

/** The records that pass one of the parts, of which there is at least one. */
export function anyOf(parts: readonly Part[]): Part {
  const filters = parts.filter((part) => part !== null);
  if (filters.length < parts.length) return null;
  return group(
    filters.flatMap((part) => ('or' in part ? part.or : [part])),
    (or) => ({ or }),
  );
}

function group(filters: readonly Filter[], join: (filters: readonly Filter[]) => Filter): Part {
  const [first = null] = filters;
  return filters.length > 1 ? join(filters) : first;
}

/**
 * A filter that the service takes, as far as its size goes.
 *
 * @throws {MappingError} where it is too large: none of it is left out.
 */
export function withinLimits(columns: Columns, part: Part): Part {
  if (part === null) return null;
  const { leaves, depth, values } = sizeOf(part);
  const refuse = (found: string, limit: string): never =>
    columns.refuse('filter', `it has ${found}, and the service takes ${limit}`, 'fewer conditions');
  if (leaves > FILTER_LIMITS.leaves)
    refuse(`${leaves} comparisons`, `${FILTER_LIMITS.leaves} of them`);
  if (depth > FILTER_LIMITS.depth) refuse(`${depth} levels`, `${FILTER_LIMITS.depth} of them`);
  if (values > FILTER_LIMITS.values)
    refuse(`lists of ${values} values`, `${FILTER_LIMITS.values} of them`);
  return part;
}

interface Size {
  readonly leaves: number;
  readonly depth: number;
  readonly values: number;
}

function sizeOf(filter: Filter): Size {
  const parts = partsOf(filter);
  if (parts === null) {
    const { value } = filter as { readonly value?: unknown };
    return { leaves: 1, depth: 1, values: Array.isArray(value) ? value.length : 0 };
  }
  const sizes = parts.map(sizeOf);
  const sum = (of: (size: Size) => number): number => sizes.map(of).reduce((a, b) => a + b, 0);
  return {
    leaves: sum(({ leaves }) => leaves),
    depth: 1 + Math.max(...sizes.map(({ depth }) => depth)),
    values: sum(({ values }) => values),
  };
}

function partsOf(filter: Filter): readonly Filter[] | null {
  if ('and' in filter) return filter.and;
  if ('or' in filter) return filter.or;
  return 'not' in filter ? [filter.not] : null;
}

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
