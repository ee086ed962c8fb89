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

import { facetValues } from './facet-values.ts';
import { callFunction } from '../values/functions.ts';
import { comparedDate, isDate } from '../values/dates.ts';
import { dayInZone, zonedHour } from '../values/zones.ts';

export const sqliteGroups: Dialect['groups'] = {
  ...facetValues,
  grouping: groupingOf,

  /** Values that are no dates stay as they are. */
  cut(column, field, { unit, zone }) {
    const x = sql.id('x', 'x');
    const local = zone === undefined ? x : dayInZone(x, zone);
    const by = zone !== undefined && unit === 'hour' ? zonedHour(x, zone) : CUTS[unit](local);
    // The limit keeps SQLite from computing the form for each use.
    const once = sql`(select ${comparedOf(column, field)} as ${sql.id('x')} limit -1)`;
    return {
      by: sqlBlock`
        (select case when ${isDate(x)} then ${by} else ${x} end from ${once} as ${sql.id('x')})`,
    };
  },

  bin: (column, field, bounds) => ({ by: Facets.binOf(binned(column, field), bounds) }),

  /** The limit does here, too. */
  computed: (column, field, rows) =>
    field.storedAs && sql`(select ${comparedOf(column, field)} as ${sql.id('x')} ${rows} limit -1)`,

  isFinite: (column, field) => isFinite(binned(column, field), field),

  added(column, field, divisor) {
    if (field.type === 'decimal') return this.sum(column, field);
    // Texts and blobs are larger than all numbers. SQLite stores NULL for NaN.
    if (field.type === 'float64')
      return sql`coalesce(total(${column} / ${divisor}) filter (where ${column} < ''), 'NaN')`;
    // Halves never overflow. The lower one is a real for a number that is not whole.
    const high = sql`${column} >> 32`;
    const low = sql`sum(${column} - ((${high}) << 32))`;
    const total = callFunction('total', sql`sum(${high})`, low, sql`null`);
    return sql`case typeof(${low}) when 'integer' then ${total} end`;
  },

  numbers: (column) => sql`count(*) filter (where ${isNumber(asNumber(column))})`,

  sum: (column, field) => callFunction('total', ...partsOf(column, field)),

  average(column, field) {
    const value = asNumber(column);
    const numbers = sql`sum(${isNumber(value)})`;
    return callFunction('average', ...partsOf(column, field), numbers);
  },

  extreme(which, column, field) {
    const aggregate = sql.raw(which);
    if (field.type === 'any') return extremeOfAny(aggregate, column, field);
    if (field.aggregate !== undefined) return extremeDigits(aggregate, column);
    if (field.storedAs === undefined) return extremeOf(aggregate, column, field);
    return sql`${aggregate}(${comparedOf(column, field)})`;
  },

  single: (extreme, { collation }) =>
    collation === undefined ? extreme : sql`${extreme} collate ${sql.raw(collation)}`,
};

/** Of texts of digits, as sums are: each behind a text that sorts as the number does. */
function extremeDigits(aggregate: Expression, column: Expression): Expression {
  const found = sql`${aggregate}(${callFunction('decimalOrder', column)} || ' ' || ${column})`;
  return sql`substr(${found}, instr(${found}, ' ') + 1)`;
}

/** Of equal numbers the integer, where there is one. */
function extremeOfAny(aggregate: Expression, column: Expression, field: Field): Expression {
  const found = extremeOf(aggregate, column, field);
  const whole = sql`${aggregate}(${column}) filter (where typeof(${column}) = 'integer')`;
  const collate = sql.raw(field.collation ?? 'binary');
  return sql`case when ${whole} = ${found} then ${whole} else ${found} end collate ${collate}`;
}

/** Aggregates have no collation and pick any of equal texts, so each follows its sort key. */
function extremeOf(aggregate: Expression, column: Expression, { collation }: Field): Expression {
  if (collation === undefined) return sql`${aggregate}(${column})`;
  const compared = sql`${sql.raw(collation === 'NOCASE' ? 'lower' : 'rtrim')}(${column})`;
  // Collations compare in UTF-8, also in a file of another encoding.
  const inUtf8 = callFunction('hexQuoted', sql`json_quote(${compared})`);
  const order = sql`case hex('a') when '61' then hex(${compared}) else ${inUtf8} end`;
  const digits = sql`${order} || ' ' || hex(${column})`;
  const found = sqlBlock`
    ${aggregate}(case typeof(${column}) when 'text' then ${digits} else ${column} end)`;
  const text = sql`cast(unhex(substr(${found}, instr(${found}, ' ') + 1)) as text)`;
  return sqlBlock`
    case typeof(${found}) when 'text' then ${text} else ${found} end
    collate ${sql.raw(collation)}`;
}

function comparedOf(column: Expression, { type, storedAs }: Field): Expression {
  if (storedAs === undefined) throw new Error('A date of SQLite is stored in some way.');
  return comparedDate(column, { type, storedAs });
}

function binned(column: Expression, { type }: Field): Expression {
  return type === 'decimal' ? asNumber(column) : column;
}

function isFinite(value: Expression, { type }: Field): Expression {
  switch (type) {
    case 'date':
    case 'timestamp':
    case 'timestamp_tz':
      return isDate(value);
    case 'time':
      return sql`${value} glob '[0-2][0-9]:[0-5][0-9]:[0-5][0-9]*'`;
    case 'int32':
    case 'int64':
      return isNumberBetween(value, sql.lit(-(2n ** 63n)), sql.lit(2n ** 63n - 1n));
    default: {
      const largest = sql.raw(String(Number.MAX_VALUE));
      return isNumberBetween(value, sql`-${largest}`, largest);
    }
  }
}

/** Without its column's affinity a text or blob is larger than every number. */
function isNumberBetween(value: Expression, least: Expression, greatest: Expression): Expression {
  return sql`+${value} between ${least} and ${greatest}`;
}

function groupingOf(column: Expression, field: Field): Clauses['grouping'] {
  switch (field.type) {
    // Texts of one group have the same bytes, so any of them has the column's collation.
    case 'text':
      return { by: sql`${column} collate binary`, value: column };
    case 'any': {
      // Of equal values: the integer, whose text is shorter than a real's; of zeros, -0.
      const isNegativeZero = sql`${column} = 0 and ${callFunction('real', column)} = '-0.0'`;
      const form = sql`min(case when ${isNegativeZero} then '-0' else typeof(${column}) end)`;
      const least = sql`min(${column} collate binary)`;
      const value = sqlBlock`
        case ${form}
          when '-0' then -0.0
          when 'integer' then cast(${least} as integer)
          else ${least}
        end
        collate ${sql.raw(field.collation ?? 'binary')}`;
      return { by: sql`${column} collate binary`, value };
    }
    case 'int32':
    case 'int64':
    case 'boolean':
      return { by: column };
    // -0 equals 0, and is the lesser text.
    case 'float64': {
      const isNegative = sql`max(${column} = 0 and ${callFunction('number', column)} = '-0')`;
      return { by: column, value: sql`case when ${isNegative} then -0.0 else ${column} end` };
    }
    default:
      return field.storedAs === undefined
        ? { by: column, value: sql`min(${column} collate binary)` }
        : { by: comparedOf(column, field) };
  }
}

/** Whole numbers in two halves, which never overflow, and the rest by decimal digits. */
function partsOf(column: Expression, { type }: Field): Expression[] {
  const isWhole = sql`typeof(${column}) = 'integer'`;
  const isFloat = type === 'float64';
  const number = isFloat ? column : asNumber(column);
  const isOther = sql`${isNumber(number)} and not ${isWhole}`;
  return [
    sql`sum(${column} >> 32) filter (where ${isWhole})`,
    sql`sum(${column} & 4294967295) filter (where ${isWhole})`,
    sql`${callFunction(isFloat ? 'floatSum' : 'sum', column)} filter (where ${isOther})`,
  ];
}

const CUTS: Readonly<Record<DateUnit, (date: Expression) => Expression>> = {
  year: (date) => sql`substr(${date}, 1, 4) || '-01-01'`,
  quarter: (date) => sqlBlock`
    substr(${date}, 1, 5)
    || printf('%02d', (cast(substr(${date}, 6, 2) as integer) - 1) / 3 * 3 + 1) || '-01'`,
  month: (date) => sql`substr(${date}, 1, 7) || '-01'`,
  // The first days of the year 0 are in a week that begins before all dates.
  week: (date) => sql`max(date(substr(${date}, 1, 10), '-6 days', 'weekday 1'), '0000-01-01')`,
  day: (date) => sql`substr(${date}, 1, 10)`,
  hour: (date) => sql`substr(${date}, 1, 13) || ':00:00'`,
};

/** As compared with decimals: texts of digits, in columns that hold texts, count as numbers. */
function asNumber(value: Expression): Expression {
  const number = sql`cast(${value} as numeric)`;
  return sqlBlock`
    case when typeof(${value}) = 'text' and ${value} = ${number} then ${number} else ${value} end`;
}

function isNumber(value: Expression): Expression {
  return sql`typeof(${value}) in ('integer', 'real')`;
}
