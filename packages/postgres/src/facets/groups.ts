import {
  type Clauses,
  type Dialect,
  type Expression,
  type Field,
  sqlBlock,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { encode } from '../values/encode.ts';
import { comparable, isFarCitext } from '../values/operands.ts';
import { inZone, zonedHour } from '../values/zones.ts';
import { exact, isInexact } from '../values/text-comparison.ts';

/** Digits beyond an average's, which decide how a half rounds. */
const MORE_DIGITS = 24;

export const postgresGroups: Dialect['groups'] = {
  grouping: groupingOf,

  cut(column, { type }, { unit, zone }) {
    const isInstant = type === 'timestamp_tz';
    const utc = isInstant ? sql`${column} at time zone 'UTC'` : column;
    const local = zone === undefined ? utc : inZone(column, zone);
    const cutTo = sql.lit(unit);
    const begin = sql`date_trunc(${cutTo}, ${local})`;
    if (unit === 'hour' && zone !== undefined) return { by: zonedHour(column, zone) };
    if (unit === 'hour') return { by: isInstant ? sql`${begin} at time zone 'UTC'` : begin };
    // A third faster for days.
    if (type !== 'date') return { by: sql`${unit === 'day' ? sql`(${local})` : begin}::date` };
    // Dates go further than timestamps. Calendar weeks repeat after 400 years.
    const ages = sql`(${column} - date '2000-01-01') / 146097 * 146097`;
    return {
      by: sqlBlock`
        case
          when isfinite(${column})
            then date_trunc(${cutTo}, (${column} - ${ages})::timestamp)::date + ${ages}
          else ${column}
        end`,
    };
  },

  bin(column, field, bounds) {
    const value = binned(column, field);
    const typed = bounds.map((bound) => sql`${bound}::${binnedType(field)}`);
    const lower = sql`array[${sql.join(typed.slice(0, -1))}]`;
    return {
      by: sqlBlock`
        case
          when ${value} between ${typed[0]} and ${typed.at(-1)}
            then width_bucket(${value}, ${lower})
          when ${value} is null then null
          else 0
        end`,
    };
  },

  /** NaN is larger than infinity. */
  isFinite(column, field) {
    const { type, extremes } = field;
    const [value, sqlType] = [binned(column, field), binnedType(field)];
    if (type === 'float64' || extremes.includes('infinity'))
      return sql`${value} > '-infinity'::${sqlType} and ${value} < 'infinity'::${sqlType}`;
    return extremes.includes('not_a_number') ? sql`${value} < 'NaN'::${sqlType}` : undefined;
  },

  /** PostgreSQL fails on quotients that are no doubles; such small ones change no sum. */
  added(column, field, divisor) {
    const value = binned(column, field);
    if (field.type !== 'float64') return sql`sum(${value})`;
    const by = sql`${divisor}::float8`;
    return sql`
      coalesce(sum(case when ${by} = 1 or abs(${value}) >= 1 then ${value} / ${by} end), 0)`;
  },

  sum: (column, field) => sumOf(column, field),

  average(column, field) {
    const sum = sumOf(column, field);
    const scale = sql`greatest(16, ${orNone(sql`scale(${sum})`)})`;
    const quotient = sql`round(${sum}, ${scale} + ${sql.lit(MORE_DIGITS)}) / count(${column})`;
    const average = sql`round(${quotient}, ${scale})`;
    const scales = [sql`scale(${sum})`, sql`min_scale(${average})`].map(orNone);
    return sql`round(${average}, greatest(${sql.join(scales)}))`;
  },

  extreme(which, column, { type, databaseType }) {
    const aggregate = sql.raw(which);
    if (type === 'boolean')
      return which === 'min' ? sql`bool_and(${column})` : sql`bool_or(${column})`;
    if (type === 'uuid') return sql`${aggregate}(${column}::text collate "C")::uuid`;
    // Before PostgreSQL 18 bytes have no `min` and `max`; hexadecimal digits sort alike.
    if (type === 'bytes')
      return sql`decode(${aggregate}(encode(${column}, 'hex') collate "C"), 'hex')`;
    if (type === 'interval' || EQUAL_TEXTS.test(databaseType))
      return extremeOfEqual(which, column, databaseType);
    // Domains of labels have neither, and a "char" sorts otherwise than its text.
    if (type === 'enum' || databaseType === '"char"') return firstInOrder(which, column);
    return databaseType === 'name'
      ? sql`${aggregate}(${exact(column)})`
      : sql`${aggregate}(${column})`;
  },
};

/** Types whose different texts may be equal. */
const EQUAL_TEXTS = / collate |^(.*\.)?citext$/;

/** `min` and `max` of equal texts depend on the plan. This goes by collation, then bytes. */
function extremeOfEqual(
  which: 'min' | 'max',
  column: Expression,
  databaseType: string,
): Expression {
  const found = firstInOrder(which, column, sql`row(${column}, ${exact(column)})`);
  return sql`(row_to_json(${found}) ->> 'f1')::${sql.raw(databaseType)}`;
}

function firstInOrder(which: 'min' | 'max', column: Expression, order = column): Expression {
  const direction = which === 'min' ? sql`asc` : sql`desc`;
  return sqlBlock`
    percentile_disc(0) within group (order by ${order} ${direction})
      filter (where ${column} is not null)`;
}

const BINNED: Partial<Record<WireType, string>> = {
  int32: 'int8',
  int64: 'int8',
  decimal: 'numeric',
  float64: 'float8',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamp_tz: 'timestamptz',
};

function binnedType({ type }: Field): Expression {
  const binnedAs = BINNED[type];
  if (binnedAs === undefined) throw new Error(`${type} has no bins.`);
  return sql.raw(binnedAs);
}

function binned(column: Expression, field: Field): Expression {
  return sql`${comparable(column, field)}::${binnedType(field)}`;
}

/** NaN and the infinities have no scale. */
function orNone(scale: Expression): Expression {
  return sql`coalesce(${scale}, 0)`;
}

function groupingOf(column: Expression, field: Field): Clauses['grouping'] {
  const { type, databaseType } = field;
  if (type === 'text' && isInexact(field)) {
    const hasNoMin = ['name', '"char"'].includes(databaseType) || isFarCitext(field);
    const some = hasNoMin ? sql`(array_agg(${column}))[1]` : sql`min(${column})`;
    return { by: exact(column), value: some };
  }
  // An array is grouped as it travels.
  if (type === 'array')
    return { by: sql`(${encode(column, field)}) collate "C"`, value: sql`min(${column})` };
  // `1 mon` equals `30 days`.
  if (type === 'interval') return { by: column, value: sql`min(${exact(column)})::interval` };
  // -0 equals 0, and is the lesser text.
  if (type === 'float64') {
    const isNegative = sql`bool_or(${column} = 0 and ${column}::text = '-0')`;
    const zero = sql`'-0'::${sql.raw(databaseType)}`;
    return { by: column, value: sql`case when ${isNegative} then ${zero} else ${column} end` };
  }
  // Without a fixed scale, equal decimals may differ in trailing zeros.
  if (type === 'decimal' && databaseType === 'numeric') {
    const scale = sql`min(scale(${column}))`;
    const least = sql`round(${column}, ${scale})`;
    return { by: column, value: sql`case when ${scale} is null then ${column} else ${least} end` };
  }
  return { by: column };
}

/** Adds decimal digits, so that any order gives the same sum. */
function sumOf(column: Expression, field: Field): Expression {
  const value = comparable(column, field);
  return field.type === 'float64'
    ? sql`trim_scale(sum(${value}::text::numeric))`
    : sql`sum(${value})::numeric`;
}
