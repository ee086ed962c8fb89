import { type Condition, listOf, type Mapping, pairOf } from '../mapping/condition.ts';
import { anyOf } from '../mapping/filter-parts.ts';
import { holdsText, isBlank, isNotBlank, isOneOfTexts } from '../mapping/texts.ts';
import { betweenFilter, dateRange, isMore, numberRange } from './ranges.ts';

/**
 * For each of TanStack Table's filter functions, by its name, the filter that selects the same
 * records.
 */
export const FILTER_FNS = {
  equals: (mapped, value) => mapped.compare('eq', value),
  weakEquals: (mapped, value) => mapped.compare('eq', value),
  includesString: (mapped, value) => holdsText(mapped, 'contains', String(value)),
  includesStringSensitive: (mapped, value) => mapped.compare('contains', String(value)),
  equalsString: (mapped, value) => isOneOfTexts(mapped, [String(value)]),
  equalsStringSensitive: (mapped, value) => mapped.compare('eq', String(value)),
  startsWith: (mapped, value) => holdsText(mapped, 'starts_with', String(value)),
  endsWith: (mapped, value) => holdsText(mapped, 'ends_with', String(value)),
  empty: (mapped, value) => (value === false ? null : isBlank(mapped)),
  notEmpty: (mapped, value) => (value === false ? null : isNotBlank(mapped)),
  greaterThan: (mapped, value) => isMore(mapped, 'gt', value),
  greaterThanOrEqualTo: (mapped, value) => isMore(mapped, 'gte', value),
  lessThan: (mapped, value) => isMore(mapped, 'lt', value),
  lessThanOrEqualTo: (mapped, value) => isMore(mapped, 'lte', value),
  between: (mapped, value) => betweenFilter(mapped, pairOf(mapped, value), ['gt', 'lt']),
  betweenInclusive: (mapped, value) => betweenFilter(mapped, pairOf(mapped, value), ['gte', 'lte']),
  inNumberRange: (mapped, value) => numberRange(mapped, pairOf(mapped, value)),
  inDateRange: (mapped, value) => dateRange(mapped, pairOf(mapped, value)),
  arrHas: (mapped, value) => mapped.isOneOf(listOf(mapped, value)),
  arrIncludes: (mapped, value) =>
    mapped.isArray
      ? mapped.holds('has_any', listOf(mapped, value))
      : anyOf(listOf(mapped, value).map((part) => mapped.compare('contains', part))),
  arrIncludesAll: (mapped, value) => mapped.holds('has_all', listOf(mapped, value)),
  arrIncludesSome: (mapped, value) => mapped.holds('has_any', listOf(mapped, value)),
} as const satisfies Readonly<Record<string, Mapping>>;

/** A filter function of TanStack Table that can be mapped, by the name in `filterFn`. */
export type FilterFnName = keyof typeof FILTER_FNS;

/** The filter functions whose value has two ends. */
export const RANGE_FNS: readonly FilterFnName[] = [
  'between',
  'betweenInclusive',
  'inNumberRange',
  'inDateRange',
];

/** The filter function that `filterFn: 'auto'` chooses for the values of an attribute. */
export function autoFilterFn({ entry }: Condition): FilterFnName {
  switch (entry.type) {
    case 'text':
      return 'includesString';
    case 'int32':
    case 'int64':
    case 'decimal':
    case 'float64':
      return 'inNumberRange';
    case 'date':
    case 'timestamp':
    case 'timestamp_tz':
      return 'inDateRange';
    case 'array':
      return 'arrIncludes';
    default:
      return 'equals';
  }
}
