import { type Dialect, type Expression, Facets, type Field, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import { encode, printed } from './encode.ts';
import { INFINITE, SCALE } from './macros.ts';
import { comparable } from './operands.ts';
import { comparedType, digitsOf, ownMoment } from './types.ts';
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
    if (zone !== undefined && unit === 'hour')
      return { by: sql`${zonedHour(column, zone)}::timestamptz` };
    if (unit === 'hour') return { by: sql`date_trunc('hour', ${column})` };
    const local = zone === undefined ? column : inZone(column, zone);
    const moment = type === 'date' ? local : sql`${local}::timestamp`;
    return { by: sql`date_trunc(${sql.lit(unit)}, ${moment})::date` };
  },

  bin(column, field, bounds) {
    const typed = bounds.map((bound) =>
      field.aggregate === undefined
        ? sql`${bound}::${sql.raw(comparedType(field))}`
        : scaled(sql`${bound}::varchar`),
    );
    return { by: Facets.binOf(binned(column, field), typed) };
  },

  isFinite: (column, { type }) =>
    /^(float64|date|timestamp)/.test(type) ? sql`isfinite(${column})` : undefined,

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

function binned(column: Expression, field: Field): Expression {
  const { type, databaseType, aggregate } = field;
  if (type === 'decimal' && aggregate === undefined)
    // DuckDB would compare a hugeint itself, for which a bound may be too large.
    return digitsOf(databaseType) === undefined ? sql`${column}::varchar::bignum` : column;
  return type === 'timestamp' ? sql`${column}::timestamp` : comparable(column, field);
}

/** A whole number of {@link SCALE}, which any order of the rows adds up to. */
function sumOf(column: Expression, { type, databaseType, aggregate }: Field): Expression {
  // It is such a number itself.
  if (aggregate !== undefined) return sql`sum(${column})`;
  if (type === 'float64') return sumOfDoubles(column);
  const whole = { width: type === 'decimal' ? Infinity : 0, scale: 0 };
  const { width, scale } = digitsOf(databaseType) ?? whole;
  return width > NARROW
    ? sumOfTexts(sql`${column}::varchar`, scale)
    : scaled(sql`sum(${column})::varchar`);
}

/** @param digits the most that a text has behind the point */
function sumOfTexts(text: Expression, digits: number): Expression {
  return scaled(sql`sum(${scaled(text, digits)})::varchar`, SCALE - digits);
}

function scaled(text: Expression, digits = SCALE): Expression {
  return sql`dynamic_query_scaled(${text}, ${sql.lit(digits)})`;
}

/** Behind the point, of doubles that DuckDB writes without an exponent. */
const FEW_DIGITS = 24;

// DuckDB would take `p.few` for that of a column `p`.
/** Adds decimal digits. Each aggregate is named once, since its statement is planned each time. */
function sumOfDoubles(column: Expression): Expression {
  const text = sql`${column}::varchar`;
  const finite = sql`when isfinite(${column}) and`;
  const isLong = sql`contains(${text}, 'e')`;
  const few = sumOfTexts(sql`case ${finite} not ${isLong} then ${text} end`, FEW_DIGITS);
  const others = sumOfTexts(sql`case ${finite} ${isLong} then ${text} end`, SCALE);
  const infinite = sql`sum(case when not isfinite(${column}) then ${column} end)`;
  return sqlBlock`
    list_transform([{'few': ${few}, 'others': ${others}, 'infinite': ${infinite}}], lambda p: case
      when p['infinite'] is null then coalesce(p['few'] + p['others'], p['few'], p['others'])
      else (case when isnan(p['infinite']) then '2' when p['infinite'] > 0 then '1' else '-1' end
        || repeat('0', ${sql.lit(INFINITE.length - 1)}))::bignum
    end)[1]`;
}
