import { Moments, oneLine, Zones } from '@proj/engine/database';

/** The second day of SQLite's calendar, and the last. */
const FIRST = Date.UTC(-1, 11, 33);
const LAST = Date.UTC(9999, 11, 31);

const DAY = 24 * 3600 * 1000;

/**
 * The local day of a date in its compared form, whose fraction SQLite would round. Most moments are
 * of the same day in UTC, whatever the zone's offset was.
 */
export const dayInZone = Zones.inZones((zone) => {
  const offsets = [0, ...zone.periods.map(({ offset }) => offset)];
  const ends = [-Math.min(...offsets), DAY - 1 - Math.max(...offsets)];
  const [from, to] = ends.map((end) => `'${new Date(end).toISOString().slice(11, 19)}'`);
  return oneLine(`
    case
      when substr(@, 12, 8) between ${from} and ${to} then substr(@, 1, 10)
      else date(substr(@, 1, 19), ${modifierAt(zone)})
    end`);
});

/** The first moment of the local hour in its period of the zone. */
export const zonedHour = Zones.inZones((zone) =>
  byPeriod(zone, ({ offset, from }) => {
    const begin =
      offset % 3600 === 0
        ? hourOf('@')
        : moved(hourOf(moved('@', modifier(offset))), modifier(-offset));
    return from === undefined ? begin : `max(${begin}, ${from})`;
  }),
);

/** `2024-10-27T02:00:00+01:00`, for the first moment of an hour. */
export const hourText = Zones.inZones((zone) => {
  const offset = byPeriod(zone, (period) => `'${Moments.printOffset(period.offset)}'`);
  return `${hourOf(moved('@', modifierAt(zone)))} || ${offset}`;
});

function hourOf(date: string): string {
  return `substr(${date}, 1, 13) || ':00:00'`;
}

function moved(date: string, by: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', substr(${date}, 1, 19), ${by})`;
}

function modifierAt(zone: Zones.TimeZone): string {
  return byPeriod(zone, ({ offset }) => modifier(offset));
}

function modifier(offset: number): string {
  return `'${offset} seconds'`;
}

function byPeriod(zone: Zones.TimeZone, of: (period: Zones.ZonePeriod) => string): string {
  const year = 'substr(@, 1, 4)';
  const firstDay = `strftime('%w', ${year} || '-01-01')`;
  const isLeap = `(strftime('%j', ${year} || '-12-31') = '366')`;
  const years = `'${Zones.YEARS_BY_KIND.join('')}'`;
  const ruled = `substr(${years}, 4 * (${firstDay} + 7 * ${isLeap}) + 1, 4)`;
  return Zones.byPeriod(zone, {
    column: '@',
    first: FIRST,
    last: LAST,
    moment: (milliseconds) => `'${new Date(milliseconds).toISOString().slice(0, 19)}'`,
    of,
    ruled: {
      at: 'ruled.instant',
      table: `(select ${ruled} || substr(@, 5) as instant) as ruled`,
      // A period begun in the year before began before all of this one.
      back: (moment) =>
        oneLine(`
          case when substr(${moment}, 1, 4) = substr(ruled.instant, 1, 4)
            then ${year} || substr(${moment}, 5) else '' end`),
    },
  });
}
