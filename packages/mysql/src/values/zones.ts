import { type Expression, Moments, type Zones } from '@proj/engine/database';
import { sql } from 'kysely';

const HOUR = 3600 * 1000;

/** As `to_seconds` has it. */
const SECONDS_TO_1970 = 719_528 * 24 * 3600;

interface PeriodAt {
  readonly offset: Expression;
  /** Where its clock did not begin with a full hour. */
  readonly begin: Expression;
  /** Whether local hours are those of UTC. */
  readonly isFullHours: boolean;
}

/** The local time of a timestamp; a zero date stays as it is. */
export function inZone(column: Expression, zone: Zones.TimeZone): Expression {
  const { offset } = periodAt(column, zone);
  return sql`coalesce(${column} + interval ${offset} microsecond, ${column})`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(column: Expression, zone: Zones.TimeZone): Expression {
  const { offset, begin, isFullHours } = periodAt(column, zone);
  if (isFullHours) return hourOf(column);
  const hour = sql`${hourOf(inZone(column, zone))} - interval ${offset} microsecond`;
  const first = sql`timestamp'1970-01-01 00:00:00' + interval ${begin} microsecond`;
  return sql`coalesce(greatest(${hour}, ${first}), ${hourOf(column)})`;
}

export function hourOf(column: Expression): Expression {
  return sql`cast(date_format(${column}, '%Y-%m-%d %H:00:00') as datetime)`;
}

/** `2024-10-27T02:00:00+01:00` for `2024-10-27T01:00:00Z`. */
export function hourText(moment: string, zone: Zones.TimeZone): string {
  const instant = Date.parse(moment);
  if (Number.isNaN(instant)) return moment;
  const offset = zone.offsetAt(instant);
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
  const froms = listOf(periods.map(({ from }) => from / 1000 + SECONDS_TO_1970));
  const place = sql`interval(to_seconds(${column}) + 0e0, ${froms})`;
  const begins = periods.map(({ from, offset }) => ((from + offset) % HOUR === 0 ? 0 : from));
  return {
    offset: sql`elt(${place}, ${listOf(periods.map(({ offset }) => offset * 1000))})`,
    begin: sql`elt(${place}, ${listOf(begins.map((from) => from * 1000))})`,
    isFullHours: periods.every(({ offset }, at) => offset % HOUR === 0 && begins[at] === 0),
  };
}

function listOf(numbers: readonly number[]): Expression {
  return sql.raw(numbers.join(', '));
}
