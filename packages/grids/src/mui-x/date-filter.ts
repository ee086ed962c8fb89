import type { Condition } from '../mapping/condition.ts';
import {
  compareDates,
  type DateOrder,
  daySpan,
  momentAt,
  shownAt,
  type Span,
} from '../mapping/dates.ts';
import type { Part } from '../mapping/filter-parts.ts';

const ORDERS: Readonly<Record<string, DateOrder>> = {
  after: 'after',
  onOrAfter: 'from',
  before: 'before',
  onOrBefore: 'upTo',
};

const DATES = ['date', 'timestamp', 'timestamp_tz'];

/** Whether an operator is one of dates, of an attribute that has some. */
export function isDateOperator({ entry }: Condition, operator: string): boolean {
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
  if (operator === 'is') return compareDates(mapped, 'equals', span);
  if (operator === 'not') return { not: compareDates(mapped, 'equals', span) };
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
