import type { Filter } from '@proj/client';

import type { Columns } from '../mapping/columns.ts';
import type { Condition } from '../mapping/condition.ts';
import { compareDates, type DateOrder, daySpan, shownAt, type Span } from '../mapping/dates.ts';
import { allOf, anyOf, type Part } from '../mapping/filter-parts.ts';
import { isBlank, isNotBlank, isOneOfTexts, TEXT_CONDITIONS } from '../mapping/texts.ts';
import { type AgColumn, type AgCondition, type AgFilterParams, innerColumn } from './column.ts';

/**
 * The filter that selects the same records as AG Grid's filter model does on the client
 * (https://www.ag-grid.com/javascript-data-grid/filter-conditions/).
 *
 * @throws {MappingError} where there is none.
 */
export function agFilter(
  columns: Columns,
  model: unknown,
  columnOf: (column: string) => AgColumn,
): Part {
  if (model === null || model === undefined) return null;
  const entries = Object.entries(model as Readonly<Record<string, AgCondition>>);
  const [[, first] = []] = entries;
  if (typeof first === 'string')
    columns.refuse(
      'advanced filter',
      'its model is not mapped',
      'the filters of columns, with `enableAdvancedFilter` off',
    );
  return allOf(entries.map(([name, one]) => columnFilter(columns, columnOf(name), one)));
}

function columnFilter(columns: Columns, column: AgColumn, condition: AgCondition): Part {
  const { conditions, operator, filterModels } = condition;
  if (conditions) {
    const parts = conditions.map((one) => columnFilter(columns, column, one));
    return (operator === 'OR' ? anyOf : allOf)(parts);
  }
  if (filterModels)
    return allOf(
      filterModels.map((one, index) =>
        one === null ? null : columnFilter(columns, innerColumn(column, index), one),
      ),
    );
  return simpleFilter(columns, column, condition);
}

/** Functions that decide or change what is compared, where the grid filters by itself. */
const OWN_FUNCTIONS = ['textMatcher', 'textFormatter', 'keyCreator'] as const;

function simpleFilter(columns: Columns, column: AgColumn, condition: AgCondition): Part {
  const { filterType = '', type } = condition;
  const { attribute, params } = column;
  const caseSensitive = params.caseSensitive === true;
  const name = filterType === 'set' ? 'set filter' : String(type);
  const mapped = columns.condition(attribute, name, { caseSensitive });
  const own = OWN_FUNCTIONS.find((one) => params[one] !== undefined && params[one] !== null);
  if (own !== undefined)
    mapped.refuse(`its filterParams have a ${own}, which only a browser can run`, `no ${own}`);
  switch (filterType) {
    case 'text':
      return textFilter(mapped, condition);
    case 'number':
    case 'bigint':
      return numberFilter(mapped, condition, params);
    case 'date':
      return dateFilter(mapped, condition, params);
    case 'set':
      return setFilter(mapped, condition.values ?? []);
    default:
      return mapped.refuse(
        `a filter of the type ${JSON.stringify(filterType)} is not known`,
        'a text, number, date or set filter',
      );
  }
}

/** A condition of a text filter: NULL passes `notEqual` and `notContains`, and no other one. */
function textFilter(mapped: Condition, { type, filter }: AgCondition): Part {
  if (type === 'blank') return isBlank(mapped);
  if (type === 'notBlank') return isNotBlank(mapped);
  const find = TEXT_CONDITIONS.get(String(type));
  if (find) return find(mapped, filter);
  const known = [...TEXT_CONDITIONS.keys(), 'blank', 'notBlank'];
  return mapped.refuse('the condition is not known', known.join(', '));
}

function numberFilter(mapped: Condition, condition: AgCondition, params: AgFilterParams): Part {
  const { filter, filterTo } = condition;
  return scalarFilter(mapped, condition, {
    params,
    values: [filter, filterTo],
    compare: (op, value) => mapped.compare(op, value),
    unknown: 'the condition is not known',
  });
}

/** A condition of a date filter. */
export function dateFilter(
  mapped: Condition,
  condition: AgCondition,
  params: AgFilterParams,
): Part {
  const { dateFrom, dateTo } = condition;
  return scalarFilter(mapped, condition, {
    params,
    values: [dateFrom, dateTo],
    compare: (op, value) => compareDates(mapped, op, spanOf(mapped, value)),
    unknown: 'days that move with the calendar are not mapped',
  });
}

/** How numbers, or dates, are compared. */
interface Scalar<Value> {
  readonly params: AgFilterParams;
  readonly values: readonly [from: Value, to: Value];
  readonly compare: (op: DateOrder, value: Value) => Filter;
  readonly unknown: string;
}

function scalarFilter<Value>(
  mapped: Condition,
  condition: AgCondition,
  { params, values: [value, to], compare, unknown }: Scalar<Value>,
): Part {
  const type = String(condition.type);
  if (type === 'blank') return mapped.isNull();
  if (type === 'notBlank') return mapped.isNotNull();
  const blanks = BLANKS[type];
  const withBlanks = (part: Part): Part =>
    blanks !== undefined && params[blanks] === true ? mapped.orNull(part) : part;
  if (type === 'notEqual') return withBlanks({ not: compare('eq', value) });
  if (type === 'inRange') {
    const { inRangeInclusive = false } = params;
    const [lower, upper] = inRangeInclusive ? (['gte', 'lte'] as const) : (['gt', 'lt'] as const);
    return withBlanks({ and: [compare(lower, value), compare(upper, to)] });
  }
  const op = ORDERS[type];
  if (op === undefined) return mapped.refuse(unknown, Object.keys(BLANKS).join(', '));
  return withBlanks(compare(op, value));
}

const ORDERS: Readonly<Record<string, DateOrder>> = {
  equals: 'eq',
  lessThan: 'lt',
  lessThanOrEqual: 'lte',
  greaterThan: 'gt',
  greaterThanOrEqual: 'gte',
};

/** Which conditions let blanks pass, by the name of the parameter that says so. */
const BLANKS: Readonly<Record<string, keyof AgFilterParams>> = {
  equals: 'includeBlanksInEquals',
  notEqual: 'includeBlanksInNotEqual',
  lessThan: 'includeBlanksInLessThan',
  lessThanOrEqual: 'includeBlanksInLessThan',
  greaterThan: 'includeBlanksInGreaterThan',
  greaterThanOrEqual: 'includeBlanksInGreaterThan',
  inRange: 'includeBlanksInRange',
};

/** `YYYY-MM-DD` is a day, `YYYY-MM-DD hh:mm:ss` a moment; both are of the reader's clock. */
const DATE = /^\d{4}-\d\d-\d\d(?:[ T](\d\d:\d\d:\d\d))?$/;

function spanOf(mapped: Condition, text: string | null | undefined): Span {
  const [, time] = DATE.exec(text ?? '') ?? [];
  const day = (text ?? '').slice(0, 10);
  const digits = new Date(`${day}T${time ?? '00:00:00'}Z`);
  if (Number.isNaN(digits.getTime()))
    mapped.refuse('its value is no date', 'YYYY-MM-DD, or YYYY-MM-DD hh:mm:ss');
  const start = shownAt(digits);
  return time === undefined ? daySpan(start) : { start, end: null };
}

/** `null` is the entry "(Blanks)", behind which the grid has the empty text too. */
function setFilter(mapped: Condition, values: readonly (string | null)[]): Part {
  const texts = values.filter((value) => value !== null && value !== '');
  const found = texts.length > 0 ? isOneOf(mapped, texts) : null;
  if (texts.length === values.length) return found ?? mapped.nothing();
  return found === null ? isBlank(mapped) : anyOf([found, isBlank(mapped)]);
}

/** The entries of an array's filter are its elements. */
function isOneOf(mapped: Condition, values: readonly unknown[]): Filter {
  return mapped.isArray ? mapped.holds('has_any', values) : isOneOfTexts(mapped, values);
}
