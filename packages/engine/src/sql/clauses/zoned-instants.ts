import { printOffset } from '../../moment-text.ts';
import type { TimeZone } from '../../planning/zones/time-zone.ts';
import {
  byPeriod,
  inZones,
  YEARS_BY_KIND,
  type ZonedColumn,
  type ZonePeriod,
} from './zone-tree.ts';

/** Instants of a database that has PostgreSQL's functions of dates; `@` is one. */
export interface InstantSql extends Pick<ZonedColumn, 'first' | 'moment'> {
  /** An instant in the form in which it is compared with moments. */
  readonly compared: string;
  readonly offset: (seconds: number) => string;
  /** The local time of an instant. */
  readonly local: (offset: string) => string;
  /** In the compared form. */
  readonly instant: (local: string, offset: string) => string;
}

/** By the service's zone data: databases have other editions, and other times before 1970. */
export function zonedInstants(terms: InstantSql) {
  const { compared: column, offset: offsetOf, local, instant } = terms;
  const utc = offsetOf(0);
  const ruled = {
    at: 'ruled.instant',
    table: `(select ${instant(inRuledYear(local(utc)), utc)} as instant) as ruled`,
    back: (from: string) => `${column} - ruled.instant + ${from}`,
  };
  const periods = (zone: TimeZone, of: (period: ZonePeriod) => string): string =>
    byPeriod(zone, { ...terms, column, last: Infinity, of, ruled });
  return {
    /** The local time of an instant. */
    inZone: inZones((zone) => local(periods(zone, ({ offset }) => offsetOf(offset)))),
    /** The first moment of the local hour in its period of the zone, in the compared form. */
    zonedHour: inZones((zone) =>
      periods(zone, ({ offset, from }) => {
        const hour = `date_trunc('hour', ${local(offsetOf(offset))})`;
        const begin = instant(hour, offsetOf(offset));
        return from === undefined ? begin : `greatest(${begin}, ${from})`;
      }),
    ),
    /** What follows the local time in JSON: `+05:30`, or `+00:09:21` before 1900. */
    offsetText: inZones((zone) => periods(zone, ({ offset }) => `'${printOffset(offset)}'`)),
  };
}

function inRuledYear(time: string): string {
  const year = `extract(year from ${time})::int`;
  const isLeap = `extract(doy from make_date(${year}, 12, 31))::int - 365`;
  const kind = `extract(dow from make_date(${year}, 1, 1))::int + 7 * (${isLeap})`;
  const years = `(array[${YEARS_BY_KIND.join(', ')}])`;
  return `(${time} + interval '1 year' * (${years}[${kind} + 1] - ${year}))`;
}
