import { type Dialect, type Expression, Facets, type Field, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import { encode, printed } from './encode.ts';
import { SCALE } from './macros.ts';
import { comparable } from './operands.ts';
import { castOf, digitsOf, ownMoment } from './types.ts';
import { inZone, zonedHour } from './zones.ts';

/** Decimals that so few rows have that their sum has 38 digits at most. */
const NARROW = 26;

export const duckdbGroups: Dialect['groups'] = {
  boundValue: (text) => ownMoment(text),
  hasFixedScale: ({ type }) => type === 'decimal',

  grouping(column, field) {
    if (field.type === 'array') return { by: encode(column, field), value: sql`min(${column})` };
    // `1 mon` equals `30 days`.
    if (field.type === 'interval') return { by: column, value: extremeOf('min', column, field) };
    if (field.type !== 'float64') return { by: column };
    // -0 equals 0, and is the lesser text.
    const isNegative = sql`bool_or(${column} = 0 and ${column}::varchar = '-0.0')`;
    const zero = sql`'-0.0'::${sql.raw(field.databaseType)}`;
    return { by: column, value: sql`case when ${isNegative} then ${zero} else ${column} end` };
  },

  cut(column, { type }, { unit, zone }) {
    if (zone !== undefined && unit === 'hour') return { by: zonedHour(column, zone) };
    const cutTo = sql.lit(unit);
    if (unit === 'hour') return { by: sql`date_trunc('hour', ${momentOf(column, type)})` };
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
    const typed = bounds.map((bound) =>
      field.aggregate === undefined
        ? sql`${bound}::${sql.raw(binnedType(field))}`
        : sql`dynamic_query_scaled(${bound}::varchar)`,
    );
    return { by: Facets.binOf(binned(column, field), typed) };
  },

  isFinite: (column, { type }) =>
    ['float64', 'date', 'timestamp', 'timestamp_tz'].includes(type)
      ? sql`isfinite(${momentOf(column, type)})`
      : undefined,

  added(column, field, divisor) {
    if (field.type !== 'float64') return printed(sumOf(column, field), field);
    const value = sql`(${binned(column, field)} / ${divisor}::double)`;
    return printed(sql`coalesce(${sumOfDoubles(value)}, '0'::bignum)`, field);
  },

  sum: sumOf,
  average: (column, field) => sql`dynamic_query_average(${sumOf(column, field)}, count(${column}))`,
  extreme: extremeOf,
};

/** Of equal intervals the one that has the least, or greatest, text. */
function extremeOf(which: 'min' | 'max', column: Expression, { type }: Field): Expression {
  if (type !== 'interval') return sql`${sql.raw(which)}(${column})`;
  const direction = sql.raw(which === 'min' ? 'asc' : 'desc');
  return sqlBlock`
    first(${column} order by ${column} ${direction}, ${column}::varchar ${direction})
      filter (where ${column} is not null)`;
}

function momentOf(value: Expression, type: Field['type']): Expression {
  return type === 'timestamp' ? sql`${value}::timestamp` : value;
}

function binnedType({ type, databaseType }: Field): string {
  if (type === 'int32' || type === 'int64') return 'hugeint';
  if (type === 'decimal') return digitsOf(databaseType) === undefined ? 'bignum' : databaseType;
  return type === 'time' ? databaseType : castOf(type);
}

function binned(column: Expression, field: Field): Expression {
  const { type, databaseType, aggregate } = field;
  if (type === 'decimal' && aggregate === undefined)
    // DuckDB would compare a hugeint itself, for which a bound may be too large.
    return digitsOf(databaseType) === undefined ? sql`${column}::varchar::bignum` : column;
  return type === 'timestamp' ? momentOf(column, type) : comparable(column, field);
}

/** A whole number of {@link SCALE}, which any order of the rows adds up to. */
function sumOf(column: Expression, field: Field): Expression {
  const { type, databaseType, aggregate } = field;
  // It is such a number itself.
  if (aggregate !== undefined) return sql`sum(${column})`;
  if (type === 'float64') return sumOfDoubles(column);
  const digits = digitsOf(databaseType);
  if (digits !== undefined && digits.width > NARROW) {
    const whole = sql`sum(replace(${column}::varchar, '.', '')::bignum)::varchar`;
    return sql`(${whole} || repeat('0', ${sql.lit(SCALE - digits.scale)}))::bignum`;
  }
  const isHuge = digits === undefined && type === 'decimal';
  return sql`dynamic_query_scaled(sum(${isHuge ? sql`${column}::bignum` : column})::varchar)`;
}

/** Doubles of two sizes have few enough of their 17 digits behind the point to be decimals. */
const SIZES = [
  { least: '0.01', below: '1e9', type: 'decimal(38, 18)' },
  { least: '1e9', below: '1e16', type: 'decimal(38, 10)' },
] as const;

/** Adds decimal digits. Each aggregate is named once, since its statement is planned each time. */
function sumOfDoubles(column: Expression): Expression {
  const [text, size] = [sql`${column}::varchar`, sql`abs(${column})`];
  const sums = SIZES.map(({ least, below, type }, index) => {
    const isOf = sql`${size} >= ${sql.raw(least)} and ${size} < ${sql.raw(below)}`;
    const sum = sql`sum(case when ${isOf} then ${text}::${sql.raw(type)} end)`;
    return sql`${sql.lit(`s${index}`)}: coalesce(${sum}, 0)::varchar`;
  });
  const isOther = sql`${column} <> 0 and (${size} < 0.01 or ${size} >= 1e16)`;
  const finite = sql`isfinite(${column}) and ${isOther}`;
  const parts = sqlBlock`
    {'none': bool_or(isnan(${column})), 'up': bool_or(${column} = 'Infinity'),
      'down': bool_or(${column} = '-Infinity'), 'count': count(${column}), ${sql.join(sums)},
      'others': sum(case when ${finite} then dynamic_query_scaled(${text}) end)}`;
  const total = sqlBlock`
    case
      when "p"."none" or "p"."up" and "p"."down" then dynamic_query_special('2')
      when "p"."up" then dynamic_query_special('1')
      when "p"."down" then dynamic_query_special('-1')
      when "p"."count" > 0 then dynamic_query_scaled("p"."s0") + dynamic_query_scaled("p"."s1")
        + coalesce("p"."others", '0'::bignum)
    end`;
  return sql`list_transform([${parts}], lambda "p": ${total})[1]`;
}
