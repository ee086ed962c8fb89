import type { Filter } from '@proj/client';
import { FILTER_LIMITS } from '@proj/contract';

import type { Columns } from './columns.ts';
import type { Part } from './filter-parts.ts';

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
