import type { Filter } from '@proj/client';

import type { Condition } from './condition.ts';

/** How a grid compares dates. */
export type DateOrder = 'eq' | 'lt' | 'lte' | 'gte' | 'gt';

/** A moment, by what the reader's clock shows and by its place in time. */
export interface Moment {
  /** What the clock shows, as if it were that of UTC: days of a zone may lack an hour. */
  readonly digits: Date;
  readonly instant: Date;
}

/** The moments that a grid's value stands for: from one up to another, which is not among them. */
export interface Span {
  readonly start: Moment;
  /** `null`: the one moment alone. */
  readonly end: Moment | null;
  readonly isDay?: true;
}

const DAY_MS = 86_400_000;

/** The day of the reader's clock that begins at a moment of it. */
export function daySpan(start: Moment): Span {
  return { start, end: shownAt(new Date(start.digits.getTime() + DAY_MS)), isDay: true };
}

/** The moment at which the reader's clock shows something; where it skips that, the one after. */
export function shownAt(digits: Date): Moment {
  return { digits, instant: new Date(digits.toISOString().replace('Z', '')) };
}

/** A moment by its place in time. */
export function momentAt(instant: Date): Moment {
  const digits = new Date(0);
  digits.setUTCFullYear(instant.getFullYear(), instant.getMonth(), instant.getDate());
  const [hours, minutes] = [instant.getHours(), instant.getMinutes()];
  digits.setUTCHours(hours, minutes, instant.getSeconds(), instant.getMilliseconds());
  return { digits, instant };
}

/** Compares an attribute of a date, or of a date and time, with what a grid's value stands for. */
export function compareDates(condition: Condition, order: DateOrder, span: Span): Filter {
  const start = wireTextOf(condition, span.start);
  const isPoint = span.end === null || condition.entry.type === 'date';
  if (isPoint) return condition.compare(order, start);
  const end = wireTextOf(condition, span.end ?? span.start);
  const from = condition.compare('gte', start);
  const before = condition.compare('lt', end);
  switch (order) {
    case 'eq':
      return span.isDay ? condition.isOn(dayOf(span.start)) : { and: [from, before] };
    case 'lt':
      return condition.compare('lt', start);
    case 'lte':
      return before;
    case 'gte':
      return from;
    case 'gt':
      return condition.compare('gte', end);
  }
}

function dayOf({ digits }: Moment): string {
  return digits.toISOString().slice(0, 10);
}

/**
 * A moment as values of the attribute travel: days, and times without a zone, are those of the
 * reader's clock.
 */
function wireTextOf(condition: Condition, start: Moment): string {
  const { digits, instant } = start;
  switch (condition.entry.type) {
    case 'date':
      if (digits.getTime() % DAY_MS !== 0)
        condition.refuse('the attribute has days alone, and the value a time', 'a day');
      return dayOf(start);
    case 'timestamp':
      return digits.toISOString().replace(/(\.000)?Z$/, '');
    case 'timestamp_tz':
      return instant.toISOString();
    default:
      return condition.refuse(
        `an attribute of type ${condition.entry.type} has no days`,
        'a filter of the grid that goes with the type',
      );
  }
}
