import { Moments, type Zones } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/** The local time of a timestamp; NULL for a zero date. */
export function inZone(column: Expression, zone: Zones.TimeZone): Expression {
  return sql`${column} + interval ${periodAt(column, zone).offset} second`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(column: Expression, zone: Zones.TimeZone): Expression {
  const { offset, begin } = periodAt(column, zone);
  const hour = sql`${hourOf(inZone(column, zone))} - interval ${offset} second`;
  if (begin === undefined) return hour;
  return sql`greatest(${hour}, timestamp'1970-01-01 00:00:00' + interval ${begin} second)`;
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

/** In seconds. `interval` and `elt` take a third of the time of a tree of `case`. */
function periodAt(
  column: Expression,
  zone: Zones.TimeZone,
): { readonly offset: Expression; readonly begin: Expression | undefined } {
  // Timestamps begin in 1970.
  const begun = zone.periods.findLastIndex(({ from }) => from <= 0);
  const periods = zone.periods.slice(begun).map(({ from, offset }, index) => ({
    from: index === 0 ? 0 : from / 1000,
    offset: offset / 1000,
  }));
  const froms = listOf(periods.map(({ from }) => from));
  const place = sql`interval(unix_timestamp(${column}), ${froms})`;
  const begins = periods.map(({ from, offset }) => ((from + offset) % 3600 === 0 ? 0 : from));
  return {
    offset: sql`elt(${place}, ${listOf(periods.map(({ offset }) => offset))})`,
    begin: begins.some((from) => from > 0) ? sql`elt(${place}, ${listOf(begins)})` : undefined,
  };
}

function listOf(numbers: readonly number[]): Expression {
  return sql.raw(numbers.join(', '));
}
