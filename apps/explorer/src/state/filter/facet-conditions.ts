import { isGroup, withAlso } from './filter-tree.ts';
import type { Condition, ConditionOperator, FilterGroup } from '../view-state.ts';

/** A part of the values of an attribute, from below; `to` belongs to it where it is the last. */
export interface ValueRange {
  readonly from: string;
  readonly to: string;
  readonly isLast: boolean;
}

/** What a facet of values sets, and what one of ranges does. */
const SET_BY_VALUES: readonly ConditionOperator[] = ['eq', 'in', 'is_null'];
const SET_BY_RANGES: readonly ConditionOperator[] = ['gte', 'lte', 'lt', 'is_null'];

/**
 * The filter without the conditions that the facet of an attribute has set; with them the facet
 * would show only the values that were chosen. Conditions inside groups are never those of a facet.
 */
export function withoutFacet(
  filter: FilterGroup,
  attribute: string,
  kind: 'values' | 'bins',
): FilterGroup {
  if (filter.match !== 'all') return filter;
  const set = kind === 'values' ? SET_BY_VALUES : SET_BY_RANGES;
  const parts = filter.parts.filter(
    (part) => isGroup(part) || part.attribute !== attribute || !set.includes(part.operator),
  );
  return { match: 'all', parts };
}

/** The values that a filter selects by a facet. */
export function chosenValues(filter: FilterGroup, attribute: string): readonly string[] {
  return conditionsOn(filter, attribute)
    .filter(({ operator }) => operator === 'eq' || operator === 'in')
    .flatMap(({ operands }) => operands);
}

/** Whether a filter selects the records without a value. */
export function choosesNull(filter: FilterGroup, attribute: string): boolean {
  return conditionsOn(filter, attribute).some(({ operator }) => operator === 'is_null');
}

/** Whether a filter selects a range of a facet. */
export function choosesRange(filter: FilterGroup, attribute: string, range: ValueRange): boolean {
  const set = conditionsOn(filter, attribute);
  return rangeConditions(attribute, range).every((wanted) =>
    set.some(
      (found) => found.operator === wanted.operator && found.operands[0] === wanted.operands[0],
    ),
  );
}

/** The filter with a value more, or without it where it was chosen. */
export function withValueToggled(
  filter: FilterGroup,
  attribute: string,
  value: string,
): FilterGroup {
  const chosen = chosenValues(filter, attribute);
  const operands = chosen.includes(value)
    ? chosen.filter((other) => other !== value)
    : [...chosen, value];
  const operator = operands.length === 1 ? 'eq' : 'in';
  const added = operands.length === 0 ? [] : [{ attribute, operator, operands } as const];
  return withAlso(withoutFacet(filter, attribute, 'values'), added);
}

/** The filter with the records without a value alone, or with all where these were chosen. */
export function withNullToggled(filter: FilterGroup, attribute: string): FilterGroup {
  const rest = withoutFacet(withoutFacet(filter, attribute, 'values'), attribute, 'bins');
  if (choosesNull(filter, attribute)) return rest;
  return withAlso(rest, [{ attribute, operator: 'is_null', operands: [] }]);
}

/** The filter with a range alone, or without it where it was chosen. */
export function withRangeToggled(
  filter: FilterGroup,
  attribute: string,
  range: ValueRange,
): FilterGroup {
  const rest = withoutFacet(filter, attribute, 'bins');
  if (choosesRange(filter, attribute, range)) return rest;
  return withAlso(rest, rangeConditions(attribute, range));
}

function rangeConditions(
  attribute: string,
  { from, to, isLast }: ValueRange,
): readonly Condition[] {
  return [
    { attribute, operator: 'gte', operands: [from] },
    { attribute, operator: isLast ? 'lte' : 'lt', operands: [to] },
  ];
}

function conditionsOn({ match, parts }: FilterGroup, attribute: string): readonly Condition[] {
  if (match !== 'all') return [];
  return parts.flatMap((part) => (!isGroup(part) && part.attribute === attribute ? part : []));
}
