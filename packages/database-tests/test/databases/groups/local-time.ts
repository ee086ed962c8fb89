import type { DateUnit } from '@proj/contract';

const formats = new Map<string, Intl.DateTimeFormat>();

/** What the clock of a zone shows, as JavaScript has it. */
export interface LocalTime {
  /** `2024-10-27` */
  readonly day: string;
  /** `2024-10-27T02:00:00+01:00` */
  readonly hour: string;
}

/** @param instant such as `2024-10-27T01:30:00Z`, from the year 1 on or before with ` BC` */
export function localTime(instant: string, zone: string): LocalTime {
  const isBefore = instant.endsWith(' BC');
  const [, year = '', rest = ''] = /^(\d+)(-.{14})/.exec(instant) ?? [];
  const date = new Date(`2000${rest}Z`);
  date.setUTCFullYear(
    isBefore ? 1 - Number(year) : Number(year),
    Number(rest.slice(1, 3)) - 1,
    Number(rest.slice(4, 6)),
  );
  let format = formats.get(zone);
  format ??= new Intl.DateTimeFormat('en', { timeZone: zone, ...CLOCK });
  formats.set(zone, format);
  const parts = Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, value]),
  );
  const era = parts['era'] === 'BC' ? ' BC' : '';
  const day = `${parts['year']?.padStart(4, '0')}-${parts['month']}-${parts['day']}`;
  const offset = parts['timeZoneName']?.slice(3) || '+00:00';
  return { day: `${day}${era}`, hour: `${day}T${parts['hour']}:00:00${offset}${era}` };
}

const CLOCK = {
  calendar: 'gregory',
  hourCycle: 'h23',
  era: 'short',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  timeZoneName: 'longOffset',
} as const;

/** The first day of what a day is in; of the years 1 to 9999. */
export function firstDay(day: string, unit: Exclude<DateUnit, 'hour'>): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  const month = unit === 'quarter' ? Math.floor(date.getUTCMonth() / 3) * 3 : 0;
  if (unit === 'year' || unit === 'quarter') date.setUTCMonth(month, 1);
  if (unit === 'month') date.setUTCDate(1);
  return date.toISOString().slice(0, 10);
}
