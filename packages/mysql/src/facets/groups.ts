import {
  type Clauses,
  type DateUnit,
  type Dialect,
  type Expression,
  Facets,
  type Field,
  sqlBlock,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { addedDecimals, averageScaleOf, groupAverage, groupSum, rounded } from './sums.ts';
import {
  bytesOf,
  castTo,
  comparable,
  decimalScaleOf,
  floatParameter,
  isDouble,
  withoutZone,
} from '../values/operands.ts';
import { FULL_HOURS, zonedOf } from '../values/zones.ts';

export const mysqlGroups: Dialect['groups'] = {
  grouping: groupingOf,

  boundValue(text, field) {
    if (isDouble(field)) return floatParameter(Number(text), field);
    return field.type.startsWith('timestamp') ? withoutZone(text) : text;
  },
  hasFixedScale: () => true,

  /** Days that the calendar does not have keep their value: they have no intervals. */
  cut(column, field, { unit, zone }) {
    const zoned = (part: 'hour' | 'day' | 'dayNumber') =>
      zone === undefined ? undefined : zonedOf(field)[part]?.(column, zone);
    if (unit === 'hour')
      return {
        by: zoned('hour') ?? sql`cast(date_format(${column}, ${sql.raw(FULL_HOURS)}) as datetime)`,
      };
    const day = zoned('day') ?? sql`cast(${column} as date)`;
    if (unit === 'day') return { by: zoned('dayNumber') ?? day, value: day };
    return { by: sql`coalesce(${CUTS[unit](day)}, ${day})` };
  },

  bin(column, field, bounds) {
    // Twice as fast as `case`, and -1 for NULL; `interval` compares doubles.
    if (isDouble(field))
      return { by: sql`nullif(interval(${column}, ${sql.join(bounds.slice(0, -1))}), -1)` };
    const names = bounds.map((_, index) => sql.id('k', `k${index}`));
    const cast = bounds.map(
      (bound, index) => sql`${castTo(bound, binnedType(field))} as ${sql.id(`k${index}`)}`,
    );
    // Without a table of one row, each value would cast the bounds again.
    const row = sql`(select ${sql.join(cast)}) as ${sql.id('k')}`;
    return { by: Facets.binOf(comparable(column, field), names), bounds: row };
  },

  /** Days without a year are no dates. */
  isFinite: (column, { type }) =>
    ['date', 'timestamp', 'timestamp_tz'].includes(type)
      ? sql`${column} >= cast('0001-01-01' as date)`
      : undefined,

  added(column, field, divisor) {
    if (field.type === 'float64') return rounded(sql`sum(${column} / ${divisor})`, field);
    return addedDecimals(comparable(column, field), field);
  },

  sum: groupSum,
  average: groupAverage,
  extreme(which, column, field) {
    // A subquery of MariaDB gives bits as text.
    if (isBits(field)) return sql`${sql.raw(which)}(${column} + 0)`;
    if (field.type !== 'enum') return sql`${sql.raw(which)}(${orNull(column, field)})`;
    // An aggregate of labels compares their texts, not their places.
    const placed = sql`concat(lpad(${column} + 0, 5, '0'), ${column})`;
    return sql`substr(${sql.raw(which)}(${placed}), 6)`;
  },
};

function isBits({ databaseType }: Field): boolean {
  return databaseType.startsWith('bit');
}

/** No expression has these types, whose values `coalesce` changes. */
const STORED = /^(?:float|year)\b/;

/** MariaDB evaluates an argument of `min` or `max` for records that a join lacks, too. */
function orNull(column: Expression, { join, databaseType }: Field): Expression {
  return join === undefined || STORED.test(databaseType) ? column : sql`coalesce(${column})`;
}

function binnedType(field: Field): string {
  const { type, databaseType } = field;
  switch (type) {
    case 'int32':
    case 'int64':
      return databaseType.includes('unsigned') ? 'unsigned' : 'signed';
    case 'decimal': {
      const scale = field.aggregate === 'average' ? averageScaleOf(field) : decimalScaleOf(field);
      return `decimal(65, ${scale})`;
    }
    case 'date':
      return 'date';
    case 'time':
      return 'time(6)';
    default:
      return 'datetime(6)';
  }
}

/** Characters that fit a page of a temporary table. */
const LONGEST_IN_A_PAGE = 2000;

/** Whether a value may exceed a page of the temporary table that finds groups. */
function isLongText({ databaseType }: Field): boolean {
  if (databaseType.startsWith('tinytext')) return false;
  const [, length] = /^(?:var)?char\((\d+)\)/.exec(databaseType) ?? [];
  return length === undefined || Number(length) > LONGEST_IN_A_PAGE;
}

function groupingOf(column: Expression, field: Field): Clauses['grouping'] {
  const { type } = field;
  if (type === 'text') {
    const bytes = bytesOf(column);
    // Sorts look only at the beginning of a text, so some groups would have no place. This one is
    // short, equal for equal bytes only, and sorts by the start of a text.
    const short = sql`concat(left(${bytes}, 1000), 0x00, sha2(${bytes}, 256))`;
    const by = isLongText(field) ? short : bytes;
    return { by, value: sql`min(${orNull(column, field)})` };
  }
  // Invalid labels show as an empty text, which may be a label too.
  if (type === 'enum') return { by: bytesOf(column), value: column };
  // Makes 0 of -0, which equals it and is the lesser text.
  if (type === 'float64') {
    const isNegative = sql`max(${column} = 0 and cast(${column} as char) = '-0')`;
    const value = sql`case when ${isNegative} then -0e0 else min(${orNull(column, field)}) end`;
    return { by: sql`${column} + 0e0`, value };
  }
  // MySQL loses one of two names of such a column of a selection, and MariaDB makes it a text.
  if (isBits(field)) return { by: sql`${column} + 0` };
  return { by: column };
}

const CUTS: Readonly<Record<Exclude<DateUnit, 'hour' | 'day'>, (day: Expression) => Expression>> = {
  year: (day) => sql`${day} - interval (dayofyear(${day}) - 1) day`,
  quarter: (day) => sqlBlock`
    ${day} - interval (dayofmonth(${day}) - 1) day - interval ((month(${day}) - 1) mod 3) month`,
  month: (day) => sql`${day} - interval (dayofmonth(${day}) - 1) day`,
  week: (day) => sql`${day} - interval weekday(${day}) day`,
};
