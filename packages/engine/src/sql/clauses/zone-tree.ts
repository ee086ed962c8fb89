import { sql } from 'kysely';

import {
  type Period,
  RULED_YEARS,
  type TimeZone,
  zoneNamed,
} from '../../planning/zones/time-zone.ts';
import type { Expression } from '../statement.ts';

const HOUR = 3600 * 1000;

/** Most moments are of these, and found by two comparisons and those within. */
const USUAL_YEARS = [2016, 2032];

/** In texts of SQL. */
export interface ZonedColumn {
  readonly column: string;
  /** The clock is that of UTC before and from these: days beyond may not exist. */
  readonly first: number;
  readonly last: number;
  /** A literal to compare with the column. */
  readonly moment: (milliseconds: number) => string;
  readonly of: (period: ZonePeriod) => string;
  /** Needed where a column may hold moments behind the ruled years. */
  readonly ruled?: RuledYears;
}

export interface ZonePeriod {
  /** In seconds. */
  readonly offset: number;
  /** Undefined where its clock began with a full hour. */
  readonly from: string | undefined;
}

/** Each later year has the days and weekdays of one of the ruled years. */
export interface RuledYears {
  /** The moment of that year. */
  readonly at: string;
  /** Where it comes from a table. */
  readonly table?: string;
  /** The moment of the column's own year. */
  readonly back: (moment: string) => string;
}

interface Piece {
  readonly from: number;
  readonly value: string;
}

/**
 * Makes SQL of a moment in a zone, whose text is kept with the zone: it takes 10 ms.
 *
 * @param write has `@` for the moment
 */
export function inZones(write: (zone: TimeZone) => string) {
  const texts = new WeakMap<TimeZone, TemplateStringsArray>();
  return (moment: Expression, name: string): Expression => {
    const zone = zoneNamed(name);
    let text = texts.get(zone);
    if (text === undefined) {
      const parts = write(zone).split('@');
      text = Object.assign(parts, { raw: parts });
      texts.set(zone, text);
    }
    return sql(text, ...text.slice(1).map(() => moment));
  };
}

/**
 * What a period has that a moment is in, by a binary search. For Tokyo, in short:
 *
 *     case
 *       when "at" < '1948-05-01T15:00:00' then
 *         case when "at" < '1887-12-31T15:00:00' then '33539 seconds' else '32400 seconds' end
 *       else '36000 seconds'
 *     end
 */
export function byPeriod({ periods }: TimeZone, zoned: ZonedColumn): string {
  const { column, first, last, moment, of, ruled } = zoned;
  const outside = of({ offset: 0, from: undefined });
  const pieces = periods.map((period): Piece => pieceOf(period, moment, of));
  const begins = pieces.filter(({ from }) => from > first && from < last);
  const begun = pieces.filter(({ from }) => from <= first).slice(-1);
  return treeOf({ column, moment }, [
    { from: -Infinity, value: outside },
    ...begun.map((piece) => ({ ...piece, from: first })),
    ...begins,
    ...(ruled === undefined ? [] : laterYears(periods, zoned, ruled)),
    { from: last, value: outside },
  ]);
}

function pieceOf({ from, offset }: Period, literal: ZonedColumn['moment'], of: ZonedColumn['of']) {
  const isFullHour = from === -Infinity || (from + offset) % HOUR === 0;
  return {
    from,
    value: of({ offset: offset / 1000, from: isFullHour ? undefined : literal(from) }),
  };
}

function laterYears(
  periods: readonly Period[],
  { moment, of }: ZonedColumn,
  { at, table, back }: RuledYears,
): Piece[] {
  const begin = Date.UTC(RULED_YEARS.first);
  const begun = periods.findLastIndex(({ from }) => from <= begin);
  const ruled = periods
    .slice(begun)
    .map((one, index) => (index > 0 ? one : { ...one, from: -Infinity }));
  if (ruled.length === 1) return [];
  const pieces = ruled.map((period) => pieceOf(period, (from) => back(moment(from)), of));
  const tree = treeOf({ column: at, moment }, pieces);
  const value = table === undefined ? tree : `(select ${tree} from ${table})`;
  return [{ from: Date.UTC(RULED_YEARS.last + 1), value }];
}

function treeOf(
  { column, moment }: Pick<ZonedColumn, 'column' | 'moment'>,
  pieces: readonly Piece[],
): string {
  const [usual = 0, later = 0] = USUAL_YEARS.map((year) =>
    pieces.findIndex(({ from }) => from >= Date.UTC(year)),
  );
  const middle = usual > 0 ? usual : later > 0 ? later : Math.ceil(pieces.length / 2);
  const [one, other] = [pieces[middle - 1], pieces[middle]];
  if (one === undefined) throw new Error('A zone has a period.');
  if (other === undefined) return one.value;
  const [before, after] = [pieces.slice(0, middle), pieces.slice(middle)].map((half) =>
    treeOf({ column, moment }, half),
  );
  return `case when ${column} < ${moment(other.from)} then ${before} else ${after} end`;
}

/** The ruled year of each kind: those that begin on a Sunday, a Monday …, then the leap years. */
export const YEARS_BY_KIND: readonly number[] = Array.from({ length: 14 }, (_, kind) => {
  const { first, last } = RULED_YEARS;
  const years = Array.from({ length: last - first + 1 }, (__, index) => first + index);
  return years.find((year) => kindOf(year) === kind) ?? first;
});

function kindOf(year: number): number {
  const days = (Date.UTC(year + 1) - Date.UTC(year)) / (24 * HOUR);
  return new Date(Date.UTC(year)).getUTCDay() + 7 * (days - 365);
}
