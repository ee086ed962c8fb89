import type { DateUnit } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../../catalogue/field.ts';
import type { GroupDialect, Grouping } from '../../../sql/group-clauses.ts';
import { sqlBlock } from '../../text/sql-block.ts';
import { asNumber, isNumber } from './facet-numbers.ts';
import { comparedDate, isDate } from '../values/dates.ts';
import { AVERAGE_FUNCTION, SUM_FUNCTION, TOTAL_FUNCTION } from '../values/functions.ts';

type Expression = RawBuilder<unknown>;

export const sqliteGroups: GroupDialect = {
  grouping: groupingOf,

  /** What is no date stays what it is. */
  cut(column, field, unit) {
    const date = comparedOf(column, field);
    return {
      by: sql`case when ${isDate(date)} then ${CUTS[unit](date)} else substr(${date}, 2) end`,
    };
  },

  sum: (column, field) => sql`${sql.raw(TOTAL_FUNCTION)}(${sql.join(partsOf(column, field))})`,

  average(column, field) {
    const value = asNumber(column);
    const numbers = sql`sum(${isNumber(value)})`;
    return sql`${sql.raw(AVERAGE_FUNCTION)}(${sql.join([...partsOf(column, field), numbers])})`;
  },

  extreme(which, column, field) {
    const aggregate = sql.raw(which);
    if (field.storedAs === undefined) return sql`${aggregate}(${column})`;
    const extreme = sql`${aggregate}(${comparedOf(column, field)})`;
    return sql`case when ${isDate(extreme)} then ${extreme} else substr(${extreme}, 2) end`;
  },
};

function comparedOf(column: Expression, { type, storedAs }: Field): Expression {
  if (storedAs === undefined) throw new Error('A date of SQLite is stored in some way.');
  return comparedDate(column, { type, storedAs });
}

function groupingOf(column: Expression, field: Field): Grouping {
  switch (field.type) {
    // Of a group whose texts have the same bytes, any of them has the collation of the column.
    case 'text':
      return { by: sql`${column} collate binary`, value: column };
    case 'int32':
    case 'int64':
    case 'boolean':
    case 'float64':
      return { by: column };
    default: {
      const by = field.storedAs === undefined ? column : comparedOf(column, field);
      return { by, value: sql`min(${column} collate binary)` };
    }
  }
}

/**
 * What adds up to a sum: whole numbers in two halves, which never overflow, and the rest by its
 * decimal digits.
 */
function partsOf(column: Expression, { type }: Field): Expression[] {
  const isWhole = sql`typeof(${column}) = 'integer'`;
  const number = type === 'float64' ? column : asNumber(column);
  const isOther = sql`${isNumber(number)} and not ${isWhole}`;
  return [
    sql`sum(${column} >> 32) filter (where ${isWhole})`,
    sql`sum(${column} & 4294967295) filter (where ${isWhole})`,
    sql`${sql.raw(SUM_FUNCTION)}(${column}) filter (where ${isOther})`,
  ];
}

/** How dates in the form in which they are compared are cut. */
const CUTS: Readonly<Record<DateUnit, (date: Expression) => Expression>> = {
  year: (date) => sql`substr(${date}, 1, 4) || '-01-01'`,
  quarter: (date) => sqlBlock`
    substr(${date}, 1, 5)
    || printf('%02d', (cast(substr(${date}, 6, 2) as integer) - 1) / 3 * 3 + 1) || '-01'`,
  month: (date) => sql`substr(${date}, 1, 7) || '-01'`,
  week: (date) => sql`date(substr(${date}, 1, 10), '-6 days', 'weekday 1')`,
  day: (date) => sql`substr(${date}, 1, 10)`,
  hour: (date) => sql`substr(${date}, 1, 13) || ':00:00'`,
};
