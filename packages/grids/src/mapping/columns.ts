import type { AttributeEntry, Filter } from '@proj/client';
import { attributeAt, FILTER_LIMITS, type LinkedModel } from '@proj/contract';

import { MappingError } from '../errors.ts';
import { Condition, type MappingContext } from './condition.ts';
import { allOf, anyOf, type Part } from './filter-parts.ts';

/** The attributes of a model, and those at the end of its paths, as the columns of a grid. */
export class Columns {
  readonly context: MappingContext;
  readonly #model: LinkedModel;

  constructor(model: LinkedModel, context: MappingContext) {
    this.#model = model;
    this.context = context;
  }

  /** The model's own attributes whose values are texts. */
  get texts(): readonly string[] {
    return this.#model.attributes
      .filter(({ operators }) => operators.includes('icontains'))
      .map(({ name }) => name);
  }

  has(column: string): boolean {
    return attributeAt(column, this.#model) !== undefined;
  }

  /** @throws {MappingError} where the model has no such attribute, and no path leads to one. */
  entry(column: string, condition: string): AttributeEntry {
    const entry = attributeAt(column, this.#model);
    if (entry) return entry;
    throw new MappingError({
      grid: this.context.grid,
      column,
      condition,
      reason: `the model ${this.#model.name} has no such attribute`,
      instead:
        'a column whose field is an attribute or a path to one; no filters or sorting in others',
    });
  }

  /** A condition of one column, which may distinguish letter cases by itself. */
  condition(
    column: string,
    condition: string,
    { caseSensitive } = this.context as Pick<MappingContext, 'caseSensitive'>,
  ): Condition {
    const context = { ...this.context, caseSensitive };
    return new Condition(this.entry(column, condition), condition, context);
  }

  /** @throws {MappingError} always, of what is about no single column. */
  refuse(condition: string, reason: string, instead: string): never {
    const { grid } = this.context;
    throw new MappingError({ grid, column: null, condition, reason, instead });
  }
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
