import { type Field, Moments, Zones } from '@proj/engine/database';

const HOUR = 3600 * 1000;

/** The second day of its calendar, and the last. */
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.UTC(9999, 11, 31);

/** Less than a microsecond, which is 1970 already; a zero date has 0. */
const FIRST_SECONDS = 1e-7;

/** From the day of zero dates. */
const DAYS_TO_1970 = 719_528;

/** A date with them is the first moment of its hour. */
export const FULL_HOURS = `'%Y-%m-%d %H:00:00'`;

/** Zero dates stay as they are. Instants of JSON are no timestamps, and have other years. */
export function zonedOf({ databaseType }: Pick<Field, 'databaseType'>) {
  return databaseType.startsWith('timestamp')
    ? { day: dayOfTimestamp, dayNumber: dayNumberOfTimestamp, hour: hourOfTimestamp }
    : { day: dayOfDate, dayNumber: undefined, hour: hourOfDate };
}

const dayOfDate = Zones.inZones((zone) => {
  const offset = byPeriod(zone, (period) => String(period.offset));
  return `cast(@ + interval ${offset} second as date)`;
});

const dayOfTimestamp = Zones.inZones((zone) => `from_days(${dayNumberOf(zone)})`);

/** Groups whole numbers, each of which is made a date once: dates take twice as long. */
const dayNumberOfTimestamp = Zones.inZones(dayNumberOf);

function dayNumberOf(zone: Zones.TimeZone): string {
  const nextDay = `unix_timestamp(@) + ${offsetOf(periodsOf(zone))} + 86400`;
  return `(${nextDay}) div 86400 + ${DAYS_TO_1970 - 1}`;
}

/** The first moment of the local hour in its period of the zone. */
const hourOfDate = Zones.inZones((zone) =>
  byPeriod(zone, ({ offset, from }) => {
    const begin = shiftedHour(String(offset));
    return from === undefined ? begin : `greatest(${begin}, ${from})`;
  }),
);

const hourOfTimestamp = Zones.inZones((zone) => {
  const periods = periodsOf(zone);
  const begins = periods.map(({ from, offset }) => ((from + offset) % HOUR === 0 ? -HOUR : from));
  if (periods.every(({ offset }, at) => offset % HOUR === 0 && begins[at] === -HOUR))
    return hourOf('@');
  // Nothing for zero dates.
  const place = placeIn(periods.map(({ from }) => Math.max(from / 1000, FIRST_SECONDS)));
  // Microseconds need no decimals, unlike seconds.
  const begin = `elt(${place}, ${begins.map((from) => from * 1000).join(', ')})`;
  const first = `timestamp'1970-01-01 00:00:00' + interval ${begin} microsecond`;
  return `coalesce(greatest(${shiftedHour(offsetOf(periods))}, ${first}), ${hourOf('@')})`;
});

function shiftedHour(offset: string): string {
  return `${hourOf(`@ + interval ${offset} second`)} - interval ${offset} second`;
}

function hourOf(moment: string): string {
  return `cast(date_format(${moment}, ${FULL_HOURS}) as datetime)`;
}

/** `2024-10-27T02:00:00+01:00` for `2024-10-27T01:00:00Z`. */
export function hourText(moment: string, zone: Zones.TimeZone): string {
  const instant = Date.parse(moment);
  if (Number.isNaN(instant)) return moment;
  const offset = instant < FIRST || instant >= LAST ? 0 : zone.offsetAt(instant);
  const local = new Date(instant + offset).toISOString().slice(0, 13);
  return `${local}:00:00${Moments.printOffset(offset / 1000)}`;
}

/** Timestamps begin in 1970, within a local hour that may be half over. */
function periodsOf({ periods }: Zones.TimeZone): Zones.TimeZone['periods'] {
  const begun = periods.findLastIndex(({ from }) => from <= 0);
  return periods.slice(begun).map((one) => ({ ...one, from: Math.max(one.from, -HOUR) }));
}

/**
 * In seconds, by how many of the changes have been, modulo that of different offsets: from one
 * offset to the next but one are two changes at once.
 */
function offsetOf(periods: Zones.TimeZone['periods']): string {
  const zeroDate = { from: 0, offset: -DAYS_TO_1970 * 24 * HOUR };
  const all = [zeroDate, ...periods];
  const offsets = [...new Set(all.map(({ offset }) => offset))];
  const changes = periods.flatMap(({ from, offset }, index) => {
    const places = [all[index]?.offset ?? 0, offset].map((one) => offsets.indexOf(one));
    const [before = 0, after = 0] = places;
    const count = (after - before + offsets.length) % offsets.length;
    return Array.from({ length: count }, () => Math.max(from / 1000, FIRST_SECONDS));
  });
  const cases = offsets.map((offset, place) => `when ${place} then ${offset / 1000}`);
  return `case ${placeIn(changes)} % ${offsets.length} ${cases.join(' ')} end`;
}

/** `interval` is fast for doubles. */
function placeIn(seconds: readonly number[]): string {
  return `interval(unix_timestamp(@) + 0e0, ${seconds.join(', ')})`;
}

function byPeriod(zone: Zones.TimeZone, of: (period: Zones.ZonePeriod) => string): string {
  const year = 'year(@)';
  const leap = `7 * (dayofyear(concat(${year}, '-12-31')) - 365)`;
  const kind = `dayofweek(makedate(${year}, 1)) + ${leap}`;
  const ruledYear = `elt(${kind}, ${Zones.YEARS_BY_KIND.join(', ')})`;
  return Zones.byPeriod(zone, {
    column: '@',
    first: FIRST,
    last: LAST,
    moment: (from) => `timestamp'${new Date(from).toISOString().slice(0, 19)}'`,
    of,
    ruled: {
      at: `(@ + interval ${ruledYear} - ${year} year)`,
      back: (moment) => `${moment} + interval ${year} - ${ruledYear} year`,
    },
  });
}
