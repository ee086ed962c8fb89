import { type Expression, Moments, Zones } from '@proj/engine/database';
import { sql } from 'kysely';

const HOUR = 3600 * 1000;

/** The second day of its calendar, and the last. */
const FIRST = Date.parse('0001-01-02T00:00:00Z');
const LAST = Date.UTC(9999, 11, 31);

interface PeriodAt {
  /** In microseconds, and in seconds. */
  readonly offset: Expression;
  readonly seconds: Expression;
  /** Where its clock did not begin with a full hour. */
  readonly begin: Expression;
  /** Whether local hours are those of UTC. */
  readonly isFullHours: boolean;
}

/** The local day of an instant; a zero date stays as it is. */
export function dayInZone(column: Expression, zone: Zones.TimeZone, type: string): Expression {
  if (!isTimestamp(type)) {
    const offset = byPeriod(column, zone, (period) => sql.raw(String(period.offset)));
    return sql`cast(${column} + interval ${offset} second as date)`;
  }
  const { offset, seconds } = periodAt(column, zone);
  const fast = sql`from_unixtime(unix_timestamp(${column}) + ${seconds})`;
  const slow = sql`coalesce(${column} + interval ${offset} microsecond, ${column})`;
  // Nothing for zero dates, and beyond the last timestamp.
  return sql`coalesce(cast(${fast} as date), cast(${slow} as date))`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(column: Expression, zone: Zones.TimeZone, type: string): Expression {
  if (!isTimestamp(type))
    return byPeriod(column, zone, ({ offset, from }) => {
      const shift = sql.raw(`interval ${offset} second`);
      const begin = sql`${hourOf(sql`${column} + ${shift}`)} - ${shift}`;
      return from === undefined ? begin : sql`greatest(${begin}, ${from})`;
    });
  const { offset, begin, isFullHours } = periodAt(column, zone);
  if (isFullHours) return hourOf(column);
  const local = sql`${column} + interval ${offset} microsecond`;
  const hour = sql`${hourOf(local)} - interval ${offset} microsecond`;
  const first = sql`timestamp'1970-01-01 00:00:00' + interval ${begin} microsecond`;
  return sql`coalesce(greatest(${hour}, ${first}), ${hourOf(column)})`;
}

/** Instants of JSON are not, and have other years. */
function isTimestamp(type: string): boolean {
  return type.startsWith('timestamp');
}

export function hourOf(column: Expression): Expression {
  return sql`cast(date_format(${column}, '%Y-%m-%d %H:00:00') as datetime)`;
}

/** `2024-10-27T02:00:00+01:00` for `2024-10-27T01:00:00Z`. */
export function hourText(moment: string, zone: Zones.TimeZone): string {
  const instant = Date.parse(moment);
  if (Number.isNaN(instant)) return moment;
  const offset = instant < FIRST || instant >= LAST ? 0 : zone.offsetAt(instant);
  const local = new Date(instant + offset).toISOString().slice(0, 13);
  return `${local}:00:00${Moments.printOffset(offset / 1000)}`;
}

/** Microseconds need no decimals, unlike seconds. `interval` is fast for doubles. */
function periodAt(column: Expression, zone: Zones.TimeZone): PeriodAt {
  // Timestamps begin in 1970.
  const begun = zone.periods.findLastIndex(({ from }) => from <= 0);
  const periods = zone.periods
    .slice(begun)
    .map(({ from, offset }) => ({ from: Math.max(from, 0), offset }));
  // A zero date is 0.
  const froms = listOf(periods.map(({ from }) => Math.max(from / 1000, 1)));
  const place = sql`interval(unix_timestamp(${column}) + 0e0, ${froms})`;
  const begins = periods.map(({ from, offset }) => ((from + offset) % HOUR === 0 ? 0 : from));
  return {
    offset: sql`elt(${place}, ${listOf(periods.map(({ offset }) => offset * 1000))})`,
    seconds: sql`elt(${place}, ${listOf(periods.map(({ offset }) => offset / 1000))})`,
    begin: sql`elt(${place}, ${listOf(begins.map((from) => from * 1000))})`,
    isFullHours: periods.every(({ offset }, at) => offset % HOUR === 0 && begins[at] === 0),
  };
}

function byPeriod(
  column: Expression,
  zone: Zones.TimeZone,
  of: (period: Zones.ZonePeriod) => Expression,
): Expression {
  const year = sql`year(${column})`;
  const leap = sql`7 * (dayofyear(concat(${year}, '-12-31')) - 365)`;
  const kind = sql`dayofweek(makedate(${year}, 1)) + ${leap}`;
  const ruledYear = sql`elt(${kind}, ${listOf(Zones.YEARS_BY_KIND)})`;
  const at = sql`(${column} + interval ${ruledYear} - ${year} year)`;
  return Zones.byPeriod(zone, {
    column,
    first: FIRST,
    last: LAST,
    moment: (from) => sql.raw(`timestamp'${new Date(from).toISOString().slice(0, 19)}'`),
    of,
    ruled: { at, back: (moment) => sql`${moment} + interval ${year} - ${ruledYear} year` },
  });
}

function listOf(numbers: readonly number[]): Expression {
  return sql.raw(numbers.join(', '));
}
