import { type Columns, quickFilter } from '../mapping/columns.ts';
import type { Condition, Mapping } from '../mapping/condition.ts';
import {
  compareDates,
  type DateOrder,
  daySpan,
  momentAt,
  shownAt,
  type Span,
} from '../mapping/dates.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';
import { isBlank, isNotBlank, isOneOfTexts, TEXT_CONDITIONS } from '../mapping/texts.ts';

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
  if (operator === 'isEmpty') return isBlank(mapped);
  if (operator === 'isNotEmpty') return isNotBlank(mapped);
  if (operator === 'isAnyOf') return isAnyOf(mapped, value);
  if (type === 'boolean') return truthFilter(mapped, operator, value);
  if (isDateOperator(mapped, operator))
    return dateFilter(mapped, { operator, value, isDay: dayColumns.includes(field) });
  return NUMBERS[operator]?.(mapped, value) ?? textFilter(mapped, operator, value);
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

/** What the operators of texts are called elsewhere. */
const TEXTS: Readonly<Record<string, string>> = {
  contains: 'contains',
  doesNotContain: 'notContains',
  startsWith: 'startsWith',
  endsWith: 'endsWith',
  equals: 'equals',
  doesNotEqual: 'notEqual',
};

function textFilter(mapped: Condition, operator: string, value: unknown): Part {
  const find = TEXT_CONDITIONS.get(TEXTS[operator] ?? '');
  if (find) return find(mapped, trimmed(value));
  return mapped.refuse('the operator is not known', 'an operator of the grid’s own columns');
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

/** An option of a single selection may be an object with its value. */
function optionValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}

const ORDERS: Readonly<Record<string, DateOrder>> = {
  after: 'gt',
  onOrAfter: 'gte',
  before: 'lt',
  onOrBefore: 'lte',
};

const DATES = ['date', 'timestamp', 'timestamp_tz'];

/** Whether an operator is one of dates, of an attribute that has some. */
function isDateOperator({ entry }: Condition, operator: string): boolean {
  return (
    DATES.includes(entry.type) && (operator in ORDERS || operator === 'is' || operator === 'not')
  );
}

interface DateItem {
  readonly operator: string;
  readonly value: unknown;
  /** Whether the grid's column has days alone. */
  readonly isDay: boolean;
}

/**
 * A condition of a date column, or of one of dates and times. There `is` and `not` are about a
 * minute, and the other operators compare with its beginning. NULL passes none, not even `not`.
 */
export function dateFilter(mapped: Condition, { operator, value, isDay }: DateItem): Part {
  const moment = momentOf(mapped, value);
  const days = isDay || mapped.entry.type === 'date';
  const span = days ? daySpan(shownAt(dayOf(moment))) : minuteSpan(moment);
  if (operator === 'is') return compareDates(mapped, 'eq', span);
  if (operator === 'not') return { not: compareDates(mapped, 'eq', span) };
  const order =
    ORDERS[operator] ?? mapped.refuse('the operator is not known', 'an operator of dates');
  return compareDates(mapped, order, days ? span : { start: span.start, end: null });
}

function momentOf(mapped: Condition, value: unknown): Date {
  const moment = value instanceof Date ? value : new Date(String(value));
  if (Number.isNaN(moment.getTime())) mapped.refuse('its value is no date', 'a Date');
  return moment;
}

/** The grid's date picker gives the beginning of the day in UTC, and means the reader's day. */
function dayOf(moment: Date): Date {
  const day = new Date(moment);
  day.setUTCHours(0, 0, 0, 0);
  return day;
}

function minuteSpan(moment: Date): Span {
  // Not by `setSeconds`, which takes an hour that the clock shows twice for the first of both.
  const passed = moment.getSeconds() * 1000 + moment.getMilliseconds();
  const start = new Date(moment.getTime() - passed);
  return { start: momentAt(start), end: momentAt(new Date(start.getTime() + 60_000)) };
}
