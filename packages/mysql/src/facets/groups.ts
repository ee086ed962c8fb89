import {
  type Clauses,
  type DateUnit,
  type Dialect,
  type Field,
  sqlBlock,
} from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { groupAverage, groupSum } from './group-sums.ts';
import { bytesOf } from '../values/operands.ts';
import { isLongText } from './facet-values.ts';

type Expression = RawBuilder<unknown>;

export const mysqlGroups: Dialect['groups'] = {
  grouping: groupingOf,

  /** Days that the calendar does not have stay what they are: they have no intervals. */
  cut(column, field, unit) {
    const day = sql`cast(${column} as date)`;
    const by = unit === 'hour' ? hourOf(column) : sql`coalesce(${CUTS[unit](day)}, ${day})`;
    return { by, value: sql`min(${by})` };
  },

  sum: groupSum,
  average: groupAverage,
  extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
};

function groupingOf(column: Expression, field: Field): Clauses['grouping'] {
  const { type } = field;
  if (type === 'text') {
    const bytes = bytesOf(column);
    // Sorts look at the beginning of a text alone, and would not have a place for each group.
    const by = isLongText(field) ? startAndHash(bytes) : bytes;
    return { by, value: sql`min(${column})` };
  }
  // What is no label is shown as an empty text, which may be a label too; either is the value.
  if (type === 'enum') return { by: bytesOf(column), value: column };
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
