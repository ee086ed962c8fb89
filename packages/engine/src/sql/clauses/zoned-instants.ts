import { sql } from 'kysely';

import { printOffset } from '../../moment-text.ts';
import type { TimeZone } from '../../planning/zones/time-zone.ts';
import type { Expression } from '../statement.ts';
import { byPeriod, YEARS_BY_KIND, type ZonedColumn, type ZonePeriod } from './zone-tree.ts';

/** Instants of a database that has PostgreSQL's functions of dates. */
export interface InstantSql extends Pick<ZonedColumn, 'first' | 'moment'> {
  /** The form in which instants are compared with moments. */
  readonly compared: (instant: Expression) => Expression;
  readonly offset: (seconds: number) => Expression;
  readonly local: (instant: Expression, offset: Expression) => Expression;
  /** In the compared form. */
  readonly instant: (local: Expression, offset: Expression) => Expression;
}

/** By the service's zone data: databases have other editions, and other times before 1970. */
export function zonedInstants(terms: InstantSql) {
  const { compared, offset: offsetOf, local, instant } = terms;
  const periods = (
    moment: Expression,
    zone: TimeZone,
    of: (period: ZonePeriod) => Expression,
  ): Expression => {
    const [column, utc, at] = [compared(moment), offsetOf(0), sql.id('ruled', 'at')];
    const ruled = instant(inRuledYear(local(moment, utc)), utc);
    const table = sql`(select ${ruled} as ${sql.id('at')}) as ${sql.id('ruled')}`;
    const back = (from: Expression): Expression => sql`${column} - ${at} + ${from}`;
    return byPeriod(zone, { ...terms, column, last: Infinity, of, ruled: { at, table, back } });
  };
  return {
    /** The local time of an instant. */
    inZone: (moment: Expression, zone: TimeZone): Expression => {
      const offsets = periods(moment, zone, ({ offset }) => offsetOf(offset));
      return local(moment, offsets);
    },
    /** The first moment of the local hour in its period of the zone, in the compared form. */
    zonedHour: (moment: Expression, zone: TimeZone): Expression =>
      periods(moment, zone, ({ offset, from }) => {
        const hour = sql`date_trunc('hour', ${local(moment, offsetOf(offset))})`;
        const begin = instant(hour, offsetOf(offset));
        return from === undefined ? begin : sql`greatest(${begin}, ${from})`;
      }),
    /** What follows the local time in JSON: `+05:30`, or `+00:09:21` before 1900. */
    offsetText: (moment: Expression, zone: TimeZone): Expression =>
      periods(moment, zone, ({ offset }) => sql.lit(printOffset(offset))),
  };
}

function inRuledYear(time: Expression): Expression {
  const year = sql`extract(year from ${time})::int`;
  const isLeap = sql`extract(doy from make_date(${year}, 12, 31))::int - 365`;
  const kind = sql`extract(dow from make_date(${year}, 1, 1))::int + 7 * (${isLeap})`;
  const years = sql.raw(`(array[${YEARS_BY_KIND.join(', ')}])`);
  return sql`(${time} + interval '1 year' * (${years}[${kind} + 1] - ${year}))`;
}
