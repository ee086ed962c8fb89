import { type Expression, Moments, sqlBlock, Zones } from '@proj/engine/database';
import { sql } from 'kysely';

/** The second day of timestamps, and the last. */
const FIRST = Date.parse('-004713-11-25T00:00:00Z');
const LAST = `294276-12-31`;

/** By the service's zone data: servers have other editions, and other times before 1970. */
export function inZone(column: Expression, zone: Zones.TimeZone): Expression {
  const offset = byPeriod(column, zone, ({ offset: seconds }) => intervalOf(seconds));
  return sql`${column} at time zone ${offset}`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(column: Expression, zone: Zones.TimeZone): Expression {
  return byPeriod(column, zone, ({ offset, from }) => {
    const hour = sql`date_trunc('hour', ${column} at time zone ${intervalOf(offset)})`;
    const begin = sql`${hour} at time zone ${intervalOf(offset)}`;
    return from === undefined ? begin : sql`greatest(${begin}, ${from})`;
  });
}

/** What follows the local time in JSON: `+05:30`, or `+00:09:21` before 1900. */
export function offsetText(column: Expression, zone: Zones.TimeZone): Expression {
  return byPeriod(column, zone, ({ offset }) => sql.lit(Moments.printOffset(offset)));
}

function byPeriod(
  column: Expression,
  zone: Zones.TimeZone,
  of: (period: Zones.ZonePeriod) => Expression,
): Expression {
  const year = sql`extract(year from ${column} at time zone 'UTC')::int`;
  const firstDay = sql`make_date(${year}, 1, 1)`;
  const isLeap = sql`extract(doy from make_date(${year}, 12, 31))::int - 365`;
  const kind = sql`extract(dow from ${firstDay})::int + 7 * (${isLeap})`;
  const years = sql.raw(`(array[${Zones.YEARS_BY_KIND.join(', ')}])`);
  const ruled = sqlBlock`
    (${column} at time zone 'UTC' + make_interval(years => ${years}[${kind} + 1] - ${year}))
    at time zone 'UTC'`;
  const at = sql.id('ruled', 'at');
  return Zones.byPeriod(zone, {
    column,
    first: FIRST,
    last: Infinity,
    moment: (milliseconds) => sql.raw(`timestamptz '${textOf(milliseconds)}'`),
    of,
    ruled: {
      at,
      table: sql`(select ${ruled}) as ${sql.id('ruled')} (${sql.id('at')})`,
      back: (moment) => sql`${column} - ${at} + ${moment}`,
    },
  });
}

function intervalOf(offset: number): Expression {
  return sql.raw(`interval '${offset} s'`);
}

function textOf(milliseconds: number): string {
  if (milliseconds === Infinity) return `${LAST} 00:00:00+00`;
  const moment = { units: BigInt(milliseconds / 1000), scale: 0 };
  return Zones.printMoment(moment, '+00').replace('T', ' ');
}
