import { type Expression, Moments, sqlBlock, Zones } from '@proj/engine/database';
import { sql } from 'kysely';

/** The second day of SQLite's calendar, and the last. */
const FIRST = Date.UTC(-1, 11, 33);
const LAST = Date.UTC(9999, 11, 31);

/** The local day of a date in its compared form, whose fraction SQLite would round. */
export function dayInZone(date: Expression, zone: Zones.TimeZone): Expression {
  return sql`date(substr(${date}, 1, 19), ${modifierAt(date, zone)})`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(date: Expression, zone: Zones.TimeZone): Expression {
  return byPeriod(date, zone, ({ offset, from }) => {
    const begin =
      offset % 3600 === 0
        ? hourOf(date)
        : moved(hourOf(moved(date, modifier(offset))), modifier(-offset));
    return from === undefined ? begin : sql`max(${begin}, ${from})`;
  });
}

/** `2024-10-27T02:00:00+01:00`, for the first moment of an hour. */
export function hourText(moment: Expression, zone: Zones.TimeZone): Expression {
  const offset = byPeriod(moment, zone, (period) => sql.lit(Moments.printOffset(period.offset)));
  return sql`${hourOf(moved(moment, modifierAt(moment, zone)))} || ${offset}`;
}

function hourOf(date: Expression): Expression {
  return sql`substr(${date}, 1, 13) || ':00:00'`;
}

function moved(date: Expression, by: Expression): Expression {
  return sql`strftime('%Y-%m-%dT%H:%M:%S', substr(${date}, 1, 19), ${by})`;
}

function modifierAt(date: Expression, zone: Zones.TimeZone): Expression {
  return byPeriod(date, zone, ({ offset }) => modifier(offset));
}

function modifier(offset: number): Expression {
  return sql.raw(`'${offset} seconds'`);
}

function byPeriod(
  date: Expression,
  zone: Zones.TimeZone,
  of: (period: Zones.ZonePeriod) => Expression,
): Expression {
  const year = sql`substr(${date}, 1, 4)`;
  const firstDay = sql`strftime('%w', ${year} || '-01-01')`;
  const isLeap = sql`(strftime('%j', ${year} || '-12-31') = '366')`;
  const years = sql.lit(Zones.YEARS_BY_KIND.join(''));
  const ruled = sql`substr(${years}, 4 * (${firstDay} + 7 * ${isLeap}) + 1, 4)`;
  const at = sql.id('ruled', 'at');
  return Zones.byPeriod(zone, {
    column: date,
    first: FIRST,
    last: LAST,
    moment: (milliseconds) => sql.lit(new Date(milliseconds).toISOString().slice(0, 19)),
    of,
    ruled: {
      at,
      table: sql`(select ${ruled} || substr(${date}, 5) as ${sql.id('at')}) as ${sql.id('ruled')}`,
      // A period begun in the year before began before all of this one.
      back: (moment) => sqlBlock`
        case when substr(${moment}, 1, 4) = substr(${at}, 1, 4)
          then ${year} || substr(${moment}, 5) else '' end`,
    },
  });
}
