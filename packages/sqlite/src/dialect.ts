import {
  compilerOf,
  type Dialect,
  type Expression,
  type Field,
  OFFSET,
  Reads,
  sqlBlock,
} from '@proj/engine/database';
import { sql, SqliteQueryCompiler } from 'kysely';

import { callFunction, wholeOrFail } from './values/functions.ts';
import { comparedDate } from './values/dates.ts';
import { encode } from './values/encode.ts';
import { holds } from './values/held-values.ts';
import { sqliteGroups } from './facets/groups.ts';
import { asStored, sqliteJoins } from './values/joins.ts';
import { misfits } from './values/wire-types.ts';
import { operandOf, operandsOf } from './values/operands.ts';
import { textIsOneOf, textMatches } from './values/text-comparison.ts';

/** SQLite stores any type in any column, so values are encoded by what they are. */
export const sqliteDialect: Dialect = {
  kysely: compilerOf(new SqliteQueryCompiler()),

  ...Reads.jsonStatements({
    record: recordOf,
    array: (records, order, filter) => sql`json_group_array(${records}${order})${filter}`,
  }),

  reevaluatesColumns: true,

  readsParts: 'unfiltered',
  // SQLITE_MAX_VARIABLE_NUMBER: https://www.sqlite.org/limits.html#max_variable_number
  maxParameters: 32_766,

  orderTerm(column, { direction, nulls, nullable, collation }) {
    const collate = collation === undefined ? sql`` : sql` collate ${sql.raw(collation)}`;
    // No index serves an order that places NULL, even where there is none.
    const place = nullable ? sql` nulls ${sql.raw(nulls)}` : sql``;
    return sql`${column}${collate} ${sql.raw(direction)}${place}`;
  },

  comparable(column, { type, storedAs, aggregate, databaseType }) {
    if (aggregate !== undefined) return callFunction('decimalOrder', column);
    if (storedAs !== undefined) return comparedDate(column, { type, storedAs });
    return type === 'any' ? asStored(column, databaseType) : column;
  },

  misfits,
  isOneOf(column, operands, { type, databaseType }) {
    if (type !== 'any') return undefined;
    return sql`${asStored(column, databaseType)} collate binary in (${sql.join(operands)})`;
  },

  operand: operandOf,
  operands: operandsOf,

  textIsOneOf,
  textMatches,
  holds,

  groups: sqliteGroups,

  joins: sqliteJoins,

  keys: {
    comparesRows: true,
    // Values keep their storage class both ways, whatever the column declares.
    column: wholeOrFail,
    operand: (placeholder) => sql`${placeholder}`,
    ordersNull: false,
    select: ({ rows, keys, step }) => sqlBlock`
      select ${sql.join(keys)}, ${sql.id('n')}
      from (${Reads.numberedRows(rows, sql`()`)})
      where ${sql.id('n')} % ${sql.lit(step)} = ${OFFSET} or ${sql.id('last')}
      order by ${sql.id('n')}`,
  },
};

function recordOf(fields: readonly Field[]): Expression {
  const members = fields.map(
    (field, index) => sql`${sql.lit(field.name)}, ${encode(sql.id(`c${index}`), field)}`,
  );
  return sql`json_object(${sql.join(members)})`;
}
