import { type Dialect, Facets, type Field, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { encode, printed } from './encode.ts';
import { INFINITY, NOT_A_NUMBER, SCALE } from './macros.ts';
import { comparable, ownMoment } from './operands.ts';
import { digitsOf } from './types.ts';
import { inZone, zonedHour } from './zones.ts';

type Expression = RawBuilder<unknown>;

/** Decimals that so few rows have that their sum has 38 digits at most. */
const NARROW = 26;

export const duckdbGroups: Dialect['groups'] = {
  boundValue: (text) => ownMoment(text),
  hasFixedScale: ({ type }) => type === 'decimal',

  grouping(column, field) {
    if (field.type === 'array') return { by: encode(column, field), value: sql`min(${column})` };
    if (field.type !== 'float64') return { by: column };
    // -0 equals 0, and is the lesser text.
    const isNegative = sql`bool_or(${column} = 0 and ${column}::varchar = '-0.0')`;
    const zero = sql`'-0.0'::${sql.raw(field.databaseType)}`;
    return { by: column, value: sql`case when ${isNegative} then ${zero} else ${column} end` };
  },

  cut(column, { type }, { unit, zone }) {
    if (zone !== undefined && unit === 'hour') return { by: zonedHour(column, zone) };
    const cutTo = sql.lit(unit);
    if (unit === 'hour') {
      const moment = type === 'timestamp' ? sql`${column}::timestamp` : column;
      return { by: sql`date_trunc('hour', ${moment})` };
    }
    const utc = type === 'timestamp_tz' ? sql`timezone('UTC', ${column})` : column;
    const local = zone === undefined ? utc : inZone(column, zone);
    const by = sqlBlock`
      case
        when isfinite(${column}) then date_trunc(${cutTo}, ${momentOf(local, type)})::date
        when ${column} is not null then
          case when ${column} > 'epoch'::date then 'infinity'::date else '-infinity'::date end
      end`;
    return { by };
  },

  bin(column, field, bounds) {
    const typed = bounds.map((bound) => sql`${bound}::${binnedType(field)}`);
    return { by: Facets.binOf(binned(column, field), typed) };
  },

  isFinite: (column, { type }) =>
    ['float64', 'date', 'timestamp', 'timestamp_tz'].includes(type)
      ? sql`isfinite(${column}${sql.raw(type === 'timestamp' ? '::timestamp' : '')})`
      : undefined,

  added(column, field, divisor) {
    if (field.type !== 'float64') return printed(sumOf(column, field), field);
    const value = sql`(${binned(column, field)} / ${divisor}::double)`;
    return printed(sql`coalesce(${sumOfDoubles(value)}, '0'::bignum)`, field);
  },

  sum: sumOf,
  average: (column, field) => sql`dynamic_query_average(${sumOf(column, field)}, count(${column}))`,
  extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
};

function momentOf(value: Expression, type: Field['type']): Expression {
  return type === 'timestamp' ? sql`${value}::timestamp` : value;
}

function binnedType({ type, databaseType }: Field): Expression {
  switch (type) {
    case 'int32':
    case 'int64':
      return sql.raw('hugeint');
    case 'decimal':
      return sql.raw(digitsOf(databaseType) === undefined ? 'bignum' : databaseType);
    case 'float64':
      return sql.raw('double');
    case 'timestamp_tz':
      return sql.raw('timestamptz');
    default:
      return sql.raw(type);
  }
}

function binned(column: Expression, field: Field): Expression {
  const { type, databaseType } = field;
  if (type === 'decimal')
    // DuckDB would compare a hugeint itself, for which a bound may be too large.
    return digitsOf(databaseType) === undefined ? sql`${column}::varchar::bignum` : column;
  return type === 'timestamp' ? momentOf(column, type) : comparable(column, field);
}

/** A whole number of {@link SCALE}, which any order of the rows adds up to. */
function sumOf(column: Expression, field: Field): Expression {
  const { type, databaseType } = field;
  if (type === 'float64') return sumOfDoubles(column);
  const digits = digitsOf(databaseType);
  const isWide = digits === undefined ? type === 'decimal' : digits.width > NARROW;
  if (!isWide) return scaledSum(sql`sum(${column})`);
  if (digits === undefined) return scaledSum(sql`sum(${column}::bignum)`);
  const whole = sql`sum(replace(${column}::varchar, '.', '')::bignum)::varchar`;
  return sql`(${whole} || repeat('0', ${sql.lit(SCALE - digits.scale)}))::bignum`;
}

function scaledSum(sum: Expression): Expression {
  return sql`dynamic_query_scaled(${sum}::varchar)`;
}

/** Most doubles have few digits, of which those of two sizes add up as decimals, much faster. */
function sumOfDoubles(column: Expression): Expression {
  const [infinity, none] = [sql.raw(INFINITY), sql.raw(NOT_A_NUMBER)];
  const isUp = sql`bool_or(${column} = 'Infinity')`;
  const isDown = sql`bool_or(${column} = '-Infinity')`;
  const text = sql`${column}::varchar`;
  const fraction = sql`strlen(split_part(${text}, '.', 2))`;
  const digits = sql`case when contains(${text}, 'e') then 99 else ${fraction} end`;
  const size = sql`abs(${column})`;
  const isSmall = sql`${size} < 1e9 and ${digits} <= 18`;
  const isLarge = sql`${size} >= 1e9 and ${size} < 1e16 and ${digits} <= 10`;
  const decimals = (condition: Expression, type: string): Expression => {
    const sum = sql`sum(case when ${condition} then ${text}::${sql.raw(type)} end)`;
    return sql`dynamic_query_scaled(coalesce(${sum}, 0)::varchar)`;
  };
  const isOther = sql`isfinite(${column}) and not (${isSmall} or ${isLarge})`;
  const others = sql`sum(case when ${isOther} then dynamic_query_scaled(${text}) end)`;
  return sqlBlock`
    case
      when bool_or(isnan(${column})) or ${isUp} and ${isDown} then ${none}
      when ${isUp} then ${infinity}
      when ${isDown} then -(${infinity})
      when count(${column}) > 0
        then ${decimals(isSmall, 'decimal(38, 18)')} + ${decimals(isLarge, 'decimal(38, 10)')}
          + coalesce(${others}, '0'::bignum)
    end`;
}
