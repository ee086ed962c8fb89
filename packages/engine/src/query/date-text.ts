const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/;
const OFFSET = /(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i;

/** A calendar date of the years 0001 to 9999 (RFC 3339 full-date). */
export function readDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, year, month, day] = DATE.exec(value) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const date = new Date(`${value}T00:00:00Z`);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day) ? value : undefined;
}

/** A time of day with up to six digits of a second (RFC 3339 partial-time). */
export function readTime(value: unknown): string | undefined {
  return typeof value === 'string' && TIME.test(value) ? value : undefined;
}

/** A date and a time, without a zone. */
export function readTimestamp(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [date, time] = value.split('T');
  return readDate(date) !== undefined && readTime(time) !== undefined ? value : undefined;
}

/** An instant (RFC 3339 date-time), turned to UTC without losing microseconds. */
export function readTimestampTz(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [offset] = OFFSET.exec(value) ?? [];
  if (offset === undefined) return undefined;
  const local = readTimestamp(value.slice(0, -offset.length));
  if (local === undefined) return undefined;
  const [seconds = '', fraction] = local.split('.');
  // The fraction stays out of it: a Date keeps milliseconds only.
  const utc = new Date(seconds + offset.toUpperCase()).toISOString().slice(0, 19);
  return /^\d{4}-/.test(utc) && readDate(utc.slice(0, 10)) !== undefined
    ? `${utc}${fraction === undefined ? '' : `.${fraction}`}Z`
    : undefined;
}
