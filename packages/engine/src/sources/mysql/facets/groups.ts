import type { DateUnit } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../../catalogue/field.ts';
import type { GroupDialect, Grouping } from '../../../sql/group-clauses.ts';
import { sqlBlock } from '../../text/sql-block.ts';
import { decimalScaleOf } from '../values/decimal-scale.ts';
import { bytesOf, comparable } from '../values/operands.ts';
import { isLongText } from './facet-values.ts';

type Expression = RawBuilder<unknown>;

/** A decimal has so many digits; a sum that needs more would be the largest of them, in silence. */
const DIGITS = 65;

/** So many more digits hold the sum of as many values as a table can have. */
const MORE_DIGITS = 22;

/** Digits of a fraction that are kept before an average is rounded. */
const QUOTIENT_SCALE = 26;

export const mysqlGroups: GroupDialect = {
  grouping: groupingOf,

  /** Days that the calendar does not have stay what they are. */
  cut(column, field, unit) {
    const day = sql`cast(${column} as date)`;
    const isDay = sqlBlock`
      ${day} >= cast('0001-01-01' as date) and month(${day}) > 0 and dayofmonth(${day}) > 0`;
    const cut = unit === 'hour' ? hourOf(column) : CUTS[unit](day);
    const other = unit === 'hour' ? column : day;
    const by = sql`case when ${isDay} then ${cut} else ${other} end`;
    return { by, value: sql`min(${by})` };
  },

  sum(column, field) {
    const sum = sql`sum(${comparable(column, field)})`;
    const [, precision] = /^decimal\((\d+)/.exec(field.databaseType) ?? [];
    if (field.type !== 'decimal' || Number(precision ?? 0) <= DIGITS - MORE_DIGITS) return sum;
    const scale = decimalScaleOf(field);
    const tooLarge = sql.raw(`1e${DIGITS - scale - 1}`);
    const type = sql.raw(`decimal(${DIGITS}, ${scale})`);
    // Fails, as a double is out of its range.
    const failure = sql`cast(exp(1000 + count(*)) as ${type})`;
    return sql`case when abs(sum(${column} + 0e0)) < ${tooLarge} then ${sum} else ${failure} end`;
  },

  average(column, field) {
    if (field.type === 'float64') return sql`avg(${column})`;
    const scale = Math.max(16, decimalScaleOf(field));
    const digits = sql.raw(`decimal(${DIGITS}, ${Math.max(QUOTIENT_SCALE, scale)})`);
    const sum = sql`cast(${mysqlGroups.sum(column, field)} as ${digits})`;
    return sql`round(${sum} / count(${column}), ${sql.lit(scale)})`;
  },

  extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
};

function groupingOf(column: Expression, field: Field): Grouping {
  const { type } = field;
  if (type === 'text') {
    const bytes = bytesOf(column);
    // Sorts look at the beginning of a text alone, and would not have a place for each group.
    const by = isLongText(field) ? startAndHash(bytes) : bytes;
    return { by, value: sql`min(${column})` };
  }
  // Makes 0 of -0, which equals it and is the lesser text.
  if (type === 'float64') {
    const isNegative = sql`max(${column} = 0 and cast(${column} as char) = '-0')`;
    const value = sql`case when ${isNegative} then -0e0 else min(${column}) end`;
    return { by: sql`${column} + 0e0`, value };
  }
  return { by: column };
}

/** The same for the same bytes, and short; texts that differ at their start sort by it. */
function startAndHash(bytes: Expression): Expression {
  return sql`concat(left(${bytes}, 1000), 0x00, sha2(${bytes}, 256))`;
}

const CUTS: Readonly<Record<Exclude<DateUnit, 'hour'>, (day: Expression) => Expression>> = {
  year: (day) => sql`${day} - interval (dayofyear(${day}) - 1) day`,
  quarter: (day) => sqlBlock`
    ${day} - interval (dayofmonth(${day}) - 1) day - interval ((month(${day}) - 1) mod 3) month`,
  month: (day) => sql`${day} - interval (dayofmonth(${day}) - 1) day`,
  week: (day) => sql`${day} - interval weekday(${day}) day`,
  day: (day) => day,
};

function hourOf(column: Expression): Expression {
  return sql`cast(date_format(${column}, '%Y-%m-%d %H:00:00') as datetime)`;
}
