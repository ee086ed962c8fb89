import type { Filter } from '@proj/client';

import { type Condition, listOf, pairOf } from '../mapping/condition.ts';
import type { Columns } from '../mapping/columns.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';

/** As much of `CrudFilter` as is read. */
export interface RefineFilter {
  readonly field?: string;
  readonly operator: string;
  readonly value: unknown;
}

/** The fields of some filters, and of those inside them. */
export function fieldsOf(filters: readonly RefineFilter[]): readonly string[] {
  return filters.flatMap(({ field = '', operator, value }) =>
    operator === 'and' || operator === 'or' ? fieldsOf(value as readonly RefineFilter[]) : field,
  );
}

/**
 * The filter that selects the records of Refine's filters. An operator that begins with `n` finds
 * all that the one without it does not find, NULL among them.
 *
 * @throws {MappingError} where there is none.
 */
export function refineFilter(columns: Columns, filters: readonly RefineFilter[]): Part {
  return allOf(filters.map((filter) => oneFilter(columns, filter)));
}

function oneFilter(columns: Columns, { field = '', operator, value }: RefineFilter): Part {
  if (operator === 'and' || operator === 'or') {
    const parts = (value as readonly RefineFilter[]).map((part) => oneFilter(columns, part));
    return parts.length === 0 ? null : (operator === 'or' ? anyOf : allOf)(parts);
  }
  const mapped = columns.condition(field, operator);
  if (operator === 'null' || operator === 'nnull')
    return (operator === 'null') === (value !== false) ? mapped.isNull() : mapped.isNotNull();
  const positive = POSITIVE[operator];
  if (positive) return positive(mapped, value);
  if (operator === 'ne' || operator === 'nes') return mapped.isOther(value);
  const opposite = operator.startsWith('n') ? POSITIVE[operator.slice(1)] : undefined;
  if (opposite) return mapped.except(opposite(mapped, value));
  return mapped.refuse('the operator is not known', Object.keys(POSITIVE).join(', '));
}

type Mapping = (mapped: Condition, value: unknown) => Filter;

const compare =
  (op: Parameters<Condition['compare']>[0]): Mapping =>
  (mapped, value) =>
    mapped.compare(op, value);

/** The operators that find something; those that end with a second `s` regard letter case. */
const POSITIVE: Readonly<Record<string, Mapping | undefined>> = {
  eq: compare('eq'),
  eqs: compare('eq'),
  lt: compare('lt'),
  gt: compare('gt'),
  lte: compare('lte'),
  gte: compare('gte'),
  in: (mapped, value) => mapped.isOneOf(listOf(mapped, value)),
  ina: (mapped, value) => mapped.holds('has_all', listOf(mapped, value)),
  contains: compare('icontains'),
  containss: compare('contains'),
  startswith: compare('istarts_with'),
  startswiths: compare('starts_with'),
  endswith: compare('iends_with'),
  endswiths: compare('ends_with'),
  between: (mapped, value) => {
    const [from, to] = pairOf(mapped, value);
    return { and: [mapped.compare('gte', from), mapped.compare('lte', to)] };
  },
};
