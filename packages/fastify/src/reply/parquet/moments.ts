/** A day, with or without a time, as the wire has it: also beyond the years of RFC 3339. */
const MOMENT = /^(\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?(?:Z)?( BC)?$/;

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;

const DAY_MICROSECONDS = 86_400_000_000n;
const MOST_MICROSECONDS = 2n ** 63n - 1n;
const MOST_DAYS = 2 ** 31 - 1;

/**
 * Days from 1970-01-01. The format has no `infinity`: DuckDB takes the largest number for it, and
 * others read that as a day.
 *
 * @returns undefined for what is no day
 */
export function daysOf(text: string): number | undefined {
  const days = momentOf(text)?.days;
  return days !== undefined && Math.abs(days) < MOST_DAYS ? days : undefined;
}

/** From 1970-01-01T00:00, as {@link daysOf}; undefined for no moment, or one past 64 bits. */
export function microsecondsOf(text: string): bigint | undefined {
  const moment = momentOf(text);
  if (moment?.ofDay === undefined) return undefined;
  const all = BigInt(moment.days) * DAY_MICROSECONDS + BigInt(moment.ofDay);
  return all < MOST_MICROSECONDS && all > -MOST_MICROSECONDS ? all : undefined;
}

/** From midnight, up to 24:00:00; undefined for what is no time of day. */
export function timeOf(text: string): bigint | undefined {
  const [, hours, minutes, seconds, fraction] = TIME.exec(text) ?? [];
  const time = ofDay(hours, minutes, seconds, fraction);
  return time === undefined || time > DAY_MICROSECONDS ? undefined : BigInt(time);
}

interface Moment {
  readonly days: number;
  /** In microseconds; undefined without a time of day. */
  readonly ofDay: number | undefined;
}

function momentOf(text: string): Moment | undefined {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const [, years, months, days, hours, minutes, seconds, fraction, bc] = found;
  // The year before 1 is 1 BC.
  const year = bc === undefined ? Number(years) : 1 - Number(years);
  const month = Number(months);
  const day = Number(days);
  const isDay = Number(years) > 0 && month >= 1 && month <= 12 && day >= 1;
  if (!isDay || day > daysInMonth(year, month)) return undefined;
  return { days: daysTo(year, month, day), ofDay: ofDay(hours, minutes, seconds, fraction) };
}

// oxlint-disable-next-line max-params -- the parts of a time, in their order
function ofDay(
  hours: string | undefined,
  minutes: string | undefined,
  seconds: string | undefined,
  fraction = '',
): number | undefined {
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1_000_000 + Number(fraction.padEnd(6, '0'));
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Years begin in March here, so that a leap day is the last of its year. */
function daysTo(year: number, month: number, day: number): number {
  const from = month > 2 ? year : year - 1;
  const era = Math.floor(from / 400);
  const ofEra = from - era * 400;
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const days = ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear;
  return era * 146_097 + days - 719_468;
}
