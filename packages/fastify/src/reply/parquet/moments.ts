/** A day, with or without a time, as the wire has it: also beyond the years of RFC 3339. */
const MOMENT = /^(\d{4,})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?)?Z?( BC)?$/;

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/;

const DAY_MS = 86_400_000;
const DAY_MICROSECONDS = 86_400_000_000n;
const ERA_DAYS = 146_097;
const MOST_MICROSECONDS = 2n ** 63n - 1n;
const MOST_DAYS = 2 ** 31 - 1;

/** From 1970-01-01; undefined for no day, and for the number that DuckDB takes for `infinity`. */
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
  const time = ofDay(TIME.exec(text)?.slice(1) ?? []);
  return time === undefined || time > DAY_MICROSECONDS ? undefined : BigInt(time);
}

/** The time of the day is in microseconds; undefined without one. */
function momentOf(text: string) {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const [, years, months, day] = found;
  // The year before 1 is 1 BC.
  const year = found.at(-1) === undefined ? Number(years) : 1 - Number(years);
  // The calendar repeats itself every 400 years, which are an era of days.
  const eras = Math.floor(year / 400) - 5;
  const date = new Date(Date.UTC(year - eras * 400, Number(months) - 1, Number(day)));
  const isDay = Number(years) > 0 && date.getUTCMonth() + 1 === Number(months);
  if (!isDay || date.getUTCDate() !== Number(day)) return undefined;
  const days = date.getTime() / DAY_MS + eras * ERA_DAYS;
  return { days, ofDay: ofDay(found.slice(4, 8)) };
}

/** Of hours, minutes, seconds and their fraction. */
function ofDay([hours, minutes, seconds, fraction = '']: readonly string[]): number | undefined {
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1_000_000 + Number(fraction.padEnd(6, '0'));
}
