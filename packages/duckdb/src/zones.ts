import { type Expression, Moments, sqlBlock, Zones } from '@proj/engine/database';
import { sql } from 'kysely';

import { ownMoment } from './types.ts';

/** The second day of moments that JavaScript has, and the last of DuckDB's. */
const FIRST = Date.parse('-271820-01-02T00:00:00Z');
const LAST = 9_223_371_158_400_000;

/** The local time of an instant, by the service's zone data. */
export function inZone(column: Expression, zone: Zones.TimeZone): Expression {
  const offset = byPeriod(column, zone, ({ offset: seconds }) => sql.lit(seconds));
  return sql`(${column}::timestamp + to_seconds(${offset}))`;
}

/** The first moment of the local hour in its period of the zone. */
export function zonedHour(column: Expression, zone: Zones.TimeZone): Expression {
  const begin = byPeriod(column, zone, ({ offset, from }) => {
    const seconds = sql`to_seconds(${sql.lit(offset)})`;
    const hour = sql`date_trunc('hour', ${column}::timestamp + ${seconds}) - ${seconds}`;
    return from === undefined ? hour : sql`greatest(${hour}, ${from})`;
  });
  return sql`${begin}::timestamptz`;
}

/** What follows the local time in JSON: `+05:30`, or `+00:09:21` before 1900. */
export function offsetText(column: Expression, zone: Zones.TimeZone): Expression {
  return byPeriod(column, zone, ({ offset }) => sql.lit(Moments.printOffset(offset)));
}

function byPeriod(
  instant: Expression,
  zone: Zones.TimeZone,
  of: (period: Zones.ZonePeriod) => Expression,
): Expression {
  const column = sql`${instant}::timestamp`;
  const year = sql`extract(year from ${column})::int`;
  const isLeap = sql`extract(doy from make_date(${year}, 12, 31))::int - 365`;
  const kind = sql`extract(dow from make_date(${year}, 1, 1))::int + 7 * (${isLeap})`;
  const years = sql.raw(`([${Zones.YEARS_BY_KIND.join(', ')}])`);
  const ruled = sql`${column} + to_years((${years}[${kind} + 1] - ${year})::int)`;
  const at = sql.id('ruled', 'at');
  return Zones.byPeriod(zone, {
    column,
    first: FIRST,
    last: Infinity,
    moment: (milliseconds) => sql.raw(literalOf(Math.min(milliseconds, LAST))),
    of,
    ruled: {
      at,
      table: sqlBlock`(select ${ruled} as ${sql.id('at')}) as ${sql.id('ruled')}`,
      back: (moment) => sql`${column} - ${at} + ${moment}`,
    },
  });
}

function literalOf(milliseconds: number): string {
  const seconds = { units: BigInt(milliseconds / 1000), scale: 0 };
  return `timestamp '${ownMoment(Zones.printMoment(seconds, ''))}'`;
}
