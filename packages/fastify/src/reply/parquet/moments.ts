/** A day, with or without a time, as the wire has it: also beyond the years of RFC 3339. */
const MOMENT = /^(\d{4,})-(\d\d)-(\d\d)(?:T([\d:.]+)(?:Z|([-+])([\d:]+))?)?( BC)?$/;

/** Of a day, or of an offset from UTC, which has seconds where clocks were set by the sun. */
const TIME = /^(\d\d):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,9}))?)?$/;

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400n;
const ERA_DAYS = 146_097;
const MOST_UNITS = 2n ** 63n - 1n;
const MOST_DAYS = 2 ** 31 - 1;

/** From 1970-01-01; undefined for no day, and for the number that DuckDB takes for `infinity`. */
export function daysOf(text: string): number | undefined {
  const days = momentOf(text)?.days;
  return days !== undefined && Math.abs(days) < MOST_DAYS ? days : undefined;
}

/** From 1970-01-01T00:00, as {@link daysOf}; undefined for no moment, or one past 64 bits. */
export function unitsOf(text: string, digits: number): bigint | undefined {
  const moment = momentOf(text);
  const time = timeOf(moment?.time ?? '', digits);
  const offset = timeOf(moment?.offset ?? '', digits);
  if (moment === undefined || time === undefined || offset === undefined) return undefined;
  const local = BigInt(moment.days) * DAY_SECONDS * 10n ** BigInt(digits) + time;
  const all = moment.sign === '-' ? local + offset : local - offset;
  return all < MOST_UNITS && all > -MOST_UNITS ? all : undefined;
}

/** From midnight, up to 24:00:00; undefined for what is no time of day, or has more digits. */
export function timeOf(text: string, digits: number): bigint | undefined {
  const [, hours, minutes, seconds = '00', fraction = ''] = TIME.exec(text) ?? [];
  if (hours === undefined || fraction.length > digits) return undefined;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  const time = BigInt(whole + fraction.padEnd(digits, '0'));
  return time <= DAY_SECONDS * 10n ** BigInt(digits) ? time : undefined;
}

/** Undefined for no day of the calendar; without a time, `time` is undefined. */
function momentOf(text: string) {
  const found = MOMENT.exec(text);
  if (found === null) return undefined;
  const [, years, months, day, time, sign, offset = '00:00', bc] = found;
  // The year before 1 is 1 BC.
  const year = bc === undefined ? Number(years) : 1 - Number(years);
  // The calendar repeats itself every 400 years, which are an era of days.
  const eras = Math.floor(year / 400) - 5;
  const date = new Date(Date.UTC(year - eras * 400, Number(months) - 1, Number(day)));
  const isDay = Number(years) > 0 && date.getUTCMonth() + 1 === Number(months);
  if (!isDay || date.getUTCDate() !== Number(day)) return undefined;
  return { days: date.getTime() / DAY_MS + eras * ERA_DAYS, time, sign, offset };
}
