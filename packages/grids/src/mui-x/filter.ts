import type { Condition } from '../mapping/condition.ts';
import type { Columns } from '../mapping/columns.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';
import { quickFilter } from '../mapping/quick-filter.ts';
import { holdsText, isOneOfTexts, isOtherText } from '../mapping/texts.ts';
import { dateFilter, isDateOperator } from './date-filter.ts';

/** As much of `GridFilterModel` as is read. */
export interface MuiFilterModel {
  readonly items: readonly MuiFilterItem[];
  readonly logicOperator?: string;
  readonly quickFilterValues?: readonly unknown[];
  readonly quickFilterLogicOperator?: string;
}

/** As much of `GridFilterItem` as is read. */
export interface MuiFilterItem {
  readonly field: string;
  readonly operator: string;
  readonly value?: unknown;
}

/**
 * The filter that selects the same records as MUI's filter model does in the browser, where an item
 * without a value is ignored too.
 *
 * @param dayColumns columns of dates and times that the grid shows as dates
 * @throws {MappingError} where there is none.
 */
export function muiFilter(
  columns: Columns,
  model: MuiFilterModel,
  dayColumns: readonly string[],
): Part {
  const items = model.items.filter(hasValue);
  const join = model.logicOperator === 'or' ? anyOf : allOf;
  const parts = items.map((item) => itemFilter(columns, item, dayColumns));
  const words = (model.quickFilterValues ?? []).map(String);
  return allOf([
    parts.length > 0 ? join(parts) : null,
    quickFilter(columns, words, model.quickFilterLogicOperator === 'or' ? anyOf : allOf),
  ]);
}

function hasValue({ operator, value }: MuiFilterItem): boolean {
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return true;
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '' && !Number.isNaN(value);
}

function itemFilter(
  columns: Columns,
  { field, operator, value }: MuiFilterItem,
  dayColumns: readonly string[],
): Part {
  const mapped = columns.condition(field, operator);
  const { type } = mapped.entry;
  if (operator === 'isEmpty') return isEmpty(mapped);
  if (operator === 'isNotEmpty')
    return type === 'text' ? mapped.compare('ne', '') : mapped.isNotNull();
  if (operator === 'isAnyOf') return isAnyOf(mapped, value);
  if (type === 'boolean') return truthFilter(mapped, operator, value);
  if (isDateOperator(mapped, operator))
    return dateFilter(mapped, { operator, value, isDay: dayColumns.includes(field) });
  return NUMBERS[operator]?.(mapped, value) ?? textFilter(mapped, operator, value);
}

/** The empty text is empty too. */
function isEmpty(mapped: Condition): Part {
  if (mapped.entry.type !== 'text') return mapped.isNull();
  return anyOf([mapped.isNull(), mapped.compare('eq', '')]);
}

function isAnyOf(mapped: Condition, value: unknown): Part {
  const values: readonly unknown[] = Array.isArray(value) ? value.map(optionValue) : [value];
  return mapped.entry.type === 'text'
    ? isOneOfTexts(mapped, values.map(trimmed))
    : mapped.isOneOf(values);
}

/** NULL counts as false, as in a checkbox that is not ticked. */
function truthFilter(mapped: Condition, operator: string, value: unknown): Part {
  if (operator !== 'is') return mapped.refuse('the operator is not known', 'is');
  return mapped.operand(value) === true ? mapped.compare('eq', true) : mapped.isOther(true);
}

type Mapping = (mapped: Condition, value: unknown) => Part;

/** The operators of numbers, and those of single selections; NULL differs from every value. */
const NUMBERS: Readonly<Record<string, Mapping | undefined>> = {
  '=': (mapped, value) => mapped.compare('eq', value),
  '!=': (mapped, value) => mapped.isOther(value),
  '>': (mapped, value) => mapped.compare('gt', value),
  '>=': (mapped, value) => mapped.compare('gte', value),
  '<': (mapped, value) => mapped.compare('lt', value),
  '<=': (mapped, value) => mapped.compare('lte', value),
  is: (mapped, value) => mapped.compare('eq', optionValue(value)),
  not: (mapped, value) => mapped.isOther(optionValue(value)),
};

function textFilter(mapped: Condition, operator: string, value: unknown): Part {
  const text = trimmed(value);
  switch (operator) {
    case 'contains':
      return holdsText(mapped, 'contains', text);
    case 'doesNotContain':
      return mapped.except(holdsText(mapped, 'contains', text));
    case 'startsWith':
      return holdsText(mapped, 'starts_with', text);
    case 'endsWith':
      return holdsText(mapped, 'ends_with', text);
    case 'equals':
      return isOneOfTexts(mapped, [text]);
    case 'doesNotEqual':
      return isOtherText(mapped, text);
    default:
      return mapped.refuse('the operator is not known', 'an operator of the grid’s own columns');
  }
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** An option of a single selection may be an object with its value. */
function optionValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}
