import { isDayOfMonth } from '../../calendar.ts';
import type { CalendarDay, Extreme, FarYears } from '../../catalogue/relation.ts';

const DATE = /^(\d{4}|[1-9]\d{4,6})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/;
const NANOSECONDS = /(\.\d{6})\d{1,3}$/;
const LONG_TIME = /^-?(\d{2}|[1-7]\d{2}|8[0-2]\d|83[0-8]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/;
const OFFSET = /(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i;
const ERA = ' BC';

type Extremes = readonly Extreme[];

/** Of the years 0001 to 9999 (RFC 3339 full-date), or an extreme. */
export function readDate(value: unknown, extremes: Extremes): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isInfinite(value, extremes) || isDay(value, extremes)) return value;
  return isFarDay(value, extremes) ? value : undefined;
}

/** With up to six digits of a second (RFC 3339 partial-time), or an extreme. */
export function readTime(value: unknown, extremes: Extremes): string | undefined {
  if (typeof value !== 'string') return undefined;
  const known = extremes.includes('nanoseconds') ? value.replace(NANOSECONDS, '$1') : value;
  if (TIME.test(known) || (value === '24:00:00' && extremes.includes('end_of_day'))) return value;
  return extremes.includes('long_times') && LONG_TIME.test(value) ? value : undefined;
}

export function readTimestamp(value: unknown, extremes: Extremes): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isInfinite(value, extremes) || isZeroMoment(value, extremes)) return value;
  const [local, era] = splitEra(value);
  const [date = '', time, ...rest] = local.split('T');
  const known = extremes.filter((extreme) => extreme === 'nanoseconds');
  if (readTime(time, known) === undefined || rest.length > 0) return undefined;
  const isDate = (era === '' && isDay(date, extremes)) || isFarDay(date + era, extremes);
  return isDate ? value : undefined;
}

/** An instant (RFC 3339 date-time) in UTC with its microseconds, or an extreme in UTC. */
export function readTimestampTz(value: unknown, extremes: Extremes): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (isInfinite(value, extremes) || isZeroMoment(value, extremes)) return value;
  const [text, era] = splitEra(value);
  const [offset] = OFFSET.exec(text) ?? [];
  if (offset === undefined) return undefined;
  const local = text.slice(0, -offset.length);
  if (era === '' && readTimestamp(local, []) !== undefined)
    return inUtc(local, offset.toUpperCase());
  return offset === 'Z' && readTimestamp(local + era, extremes) !== undefined ? value : undefined;
}

function inUtc(local: string, offset: string): string | undefined {
  const [seconds = '', fraction] = local.split('.');
  // A Date would cut the fraction to milliseconds.
  const utc = new Date(seconds + offset).toISOString().slice(0, 19);
  return isDay(utc.slice(0, 10), [])
    ? `${utc}${fraction === undefined ? '' : `.${fraction}`}Z`
    : undefined;
}

function isInfinite(text: string, extremes: Extremes): boolean {
  return extremes.includes('infinity') && (text === 'infinity' || text === '-infinity');
}

/** Of the years 0001 to 9999, or a zero date where the column has them. */
function isDay(text: string, extremes: Extremes): boolean {
  const [, year = '', month, day] = DATE.exec(text) ?? [];
  if (year.length !== 4) return false;
  if (extremes.includes('zero_dates')) return Number(month) <= 12 && Number(day) <= 31;
  return year !== '0000' && isDayOfMonth(Number(year), Number(month), Number(day));
}

/** Outside RFC 3339's years, where the column has such days. */
function isFarDay(text: string, extremes: Extremes): boolean {
  const range = extremes.find((extreme): extreme is FarYears => typeof extreme === 'object');
  const [date, era] = splitEra(text);
  const [, digits = '', month, day] = DATE.exec(date) ?? [];
  const year = Number(digits);
  if (range === undefined || year === 0) return false;
  // Leap years count 1 BC as year 0.
  const parts = [era === '' ? year : 1 - year, Number(month), Number(day)] as const;
  const isInRange =
    dayNumber(range.first) <= dayNumber(parts) && dayNumber(parts) <= dayNumber(range.last);
  return isDayOfMonth(...parts) && isInRange;
}

/** A date without a day or a month has no ISO form of its time: `0000-00-00 00:00:00`. */
function isZeroMoment(text: string, extremes: Extremes): boolean {
  const [date = '', time, ...rest] = text.split(' ');
  return (
    /-00/.test(date) &&
    isDay(date, extremes) &&
    readTime(time, []) !== undefined &&
    rest.length === 0
  );
}

function splitEra(text: string): [rest: string, era: string] {
  return text.endsWith(ERA) ? [text.slice(0, -ERA.length), ERA] : [text, ''];
}

function dayNumber([year, month, day]: CalendarDay): number {
  return (year * 100 + month) * 100 + day;
}
