import type { Attribute } from '../../catalogue/model.ts';
import type { CalendarDay, FarYears } from '../../catalogue/relation.ts';
import type { Condition } from '../condition.ts';
import { readDate } from '../values/date-text.ts';
import type { Span, TimeZone } from './time-zone.ts';

const DAY = 24 * 3600 * 1000;

/** The calendar and its weekdays repeat after 400 years; a Date ends before some databases. */
const CYCLES = 250 * 400;

export interface PlannedDay {
  readonly attribute: Attribute;
  readonly day: string;
  /** For instants. Default: UTC. */
  readonly zone?: TimeZone | undefined;
}

/** A day of the calendar, even where a column holds others. */
export function readDay(value: unknown, { extremes }: Attribute): string | undefined {
  return readDate(
    value,
    extremes.filter((extreme) => typeof extreme === 'object'),
  );
}

export function planDay({ attribute, day, zone }: PlannedDay): Condition {
  if (attribute.type === 'date') return { attribute, op: 'eq', values: [day] };
  const [year, month, date] = partsOf(day);
  const skipped = year > 2 * CYCLES ? CYCLES : 0;
  const midnight = midnightOf([year - skipped, month, date]);
  const { first, last } = calendarOf(attribute);
  const second = midnightOf(first) + DAY;
  // Without a Date for it, it is behind all days that have one.
  const lastMidnight = midnightOf([last[0] - skipped, last[1], last[2]]) || Infinity;
  const inUtc = { from: midnight, before: midnight + DAY };
  const spans = zone?.spansOfDay(midnight).map((span) => ({
    // The first and the last day are those of UTC, as there may be no day beyond.
    from: midnight < second ? midnight : clamp(span.from, second, lastMidnight),
    before: midnight >= lastMidnight ? inUtc.before : clamp(span.before, second, lastMidnight),
  })) ?? [inUtc];
  // A skipped day has no moment; NULL is on no day, nor on none.
  const found = spans.length > 0 ? spans : [{ from: midnight, before: midnight }];
  const or = found.map((span) => within(span, attribute, skipped));
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
function within({ from, before }: Span, attribute: Attribute, skipped: number): Condition {
  const { first, last } = calendarOf(attribute);
  const far = attribute.extremes.find((extreme) => typeof extreme === 'object');
  const text = (moment: number): string => {
    const date = new Date(moment);
    const year = date.getUTCFullYear() + skipped;
    const [era, digits] = year > 0 || far === undefined ? ['', year] : [' BC', 1 - year];
    const [rest] = /-\d\d-\d\dT.{8}/.exec(date.toISOString()) ?? [];
    return `${String(digits).padStart(4, '0')}${rest}${zone}${era}`;
  };
  const zone = attribute.type === 'timestamp_tz' ? 'Z' : '';
  // Programs write the end of time into SQLite with seven or nine digits.
  const nines = attribute.storedAs === undefined ? 6 : 9;
  const end = new Date(before).getUTCFullYear() + skipped;
  return {
    and: [
      { attribute, op: 'gte', values: [text(Math.max(from, midnightOf(first)))] },
      end > last[0]
        ? {
            attribute,
            op: 'lte',
            values: [`${last.join('-')}T23:59:59.${'9'.repeat(nines)}${zone}`],
          }
        : { attribute, op: 'lt', values: [text(before)] },
    ],
  };
}

const RFC_3339: FarYears = { first: [1, 1, 1], last: [9999, 12, 31] };
/** As texts of SQLite have them. */
const FOUR_DIGITS: FarYears = { ...RFC_3339, first: [0, 1, 1] };

function partsOf(day: string): CalendarDay {
  const [, year = '', month = '', date = '', era] = /^(\d+)-(\d+)-(\d+)( BC)?$/.exec(day) ?? [];
  return [era === undefined ? Number(year) : 1 - Number(year), Number(month), Number(date)];
}

function midnightOf([year, month, date]: CalendarDay): number {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, date);
  return midnight.getTime();
}
