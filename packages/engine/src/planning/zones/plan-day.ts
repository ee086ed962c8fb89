import { dayNumber, dayOf, printMoment, readDay } from '../../calendar.ts';
import type { Attribute } from '../../catalogue/model.ts';
import type { CalendarDay, FarYears } from '../../catalogue/relation.ts';
import type { Condition } from '../condition.ts';
import { readDate } from '../values/date-text.ts';
import type { Span, TimeZone } from './time-zone.ts';

const DAY = 24 * 3600 * 1000;

/** A day of the calendar, even where a column holds others. */
export function readCalendarDay(value: unknown, { extremes }: Attribute): string | undefined {
  return readDate(
    value,
    extremes.filter((extreme) => typeof extreme === 'object'),
  );
}

export function planDay(attribute: Attribute, day: string, zone?: TimeZone): Condition {
  if (attribute.type === 'date') return { attribute, op: 'eq', values: [day] };
  const midnight = Number(readDay(day)?.units) * DAY;
  const { first, last } = calendarOf(attribute);
  const [second, lastMidnight] = [midnightOf(first) + DAY, midnightOf(last)];
  const inUtc = { from: midnight, before: midnight + DAY };
  const spans = zone?.spansOfDay(midnight).map((span) => ({
    // The first and the last day are those of UTC, as there may be no day beyond.
    from: midnight < second ? midnight : clamp(span.from, second, lastMidnight),
    before: midnight >= lastMidnight ? inUtc.before : clamp(span.before, second, lastMidnight),
  })) ?? [inUtc];
  // A skipped day has no moment; NULL is on no day, nor on none.
  const found = spans.length > 0 ? spans : [{ from: midnight, before: midnight }];
  const or = found.map((span) => within(span, attribute));
  return or.length === 1 && or[0] !== undefined ? or[0] : { or };
}

function calendarOf({ extremes, storedAs }: Attribute): FarYears {
  const far = extremes.find((extreme) => typeof extreme === 'object');
  return far ?? (storedAs === undefined ? RFC_3339 : FOUR_DIGITS);
}

function clamp(moment: number, least: number, greatest: number): number {
  return Math.min(Math.max(moment, least), greatest);
}

/** The ends are possible in the column; what is no moment lies beyond the last. */
function within({ from, before }: Span, attribute: Attribute): Condition {
  const { first, last } = calendarOf(attribute);
  const zone = attribute.type === 'timestamp_tz' ? 'Z' : '';
  // SQLite has a year 0.
  const hasEras = attribute.storedAs === undefined;
  const text = (moment: number): string =>
    printMoment({ units: BigInt(moment / 1000), scale: 0 }, zone, hasEras);
  // Programs write the end of time into SQLite with seven or nine digits.
  const nines = '9'.repeat(hasEras ? 6 : 9);
  const lastMoment = `${last.join('-')}T23:59:59.${nines}${zone}`;
  const [end] = dayOf(BigInt(Math.floor(before / DAY)));
  return {
    and: [
      { attribute, op: 'gte', values: [text(Math.max(from, midnightOf(first)))] },
      end > last[0]
        ? { attribute, op: 'lte', values: [lastMoment] }
        : { attribute, op: 'lt', values: [text(before)] },
    ],
  };
}

const RFC_3339: FarYears = { first: [1, 1, 1], last: [9999, 12, 31] };
/** As texts of SQLite have them. */
const FOUR_DIGITS: FarYears = { ...RFC_3339, first: [0, 1, 1] };

function midnightOf([year, month, day]: CalendarDay): number {
  return Number(dayNumber(BigInt(year), BigInt(month), BigInt(day))) * DAY;
}
