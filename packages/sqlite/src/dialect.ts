import {
  type Clauses,
  columnOf,
  compilerOf,
  cutPage,
  type Dialect,
  type Expression,
  Facets,
  type Field,
  LIMIT,
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

  rows: selectRows,

  /** A transaction has one snapshot; a total is here only where two statements may still differ. */
  records: ({ fields, from, where, order, total }) => {
    const shown = total === undefined ? sql`` : sql`, (${total})`;
    return sqlBlock`
      select ${recordOf(fields)}${shown}
      from (select ${sql.join(columnsOf(fields))} from ${from}${where} order by ${order})`;
  },

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

  lists: (lists, maxBytes) => Facets.selectInOneRow(lists, textOf, { maxBytes }),

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

function selectRows(fields: readonly Field[], clauses: Clauses['page']): Expression {
  const { reversed, oneMore = false, maxBytes } = clauses;
  const page = cutPage(columnsOf(fields), clauses);
  const number = sql.id('n');
  const source =
    reversed || oneMore ? sql`select *, row_number() over () as ${number} from (${page})` : page;
  const backwards = reversed ? sql` order by ${number} desc` : sql``;
  const shown = oneMore ? sql` filter (where ${number} < ${LIMIT})` : sql``;
  const records = sql`json_group_array(${recordOf(fields)}${backwards})${shown}`;
  const [json, count] = [sql.id('json'), sql.id('rows')];
  return sqlBlock`
    select case when octet_length(${json}) <= ${sql.lit(maxBytes)} then ${json} end, ${count}
    from (
      select ${records} as ${json}, count(*) as ${count}
      from (${source})
    )`;
}

function textOf(fields: readonly Field[], rows: Expression): Expression {
  return sql`select json_group_array(${recordOf(fields)}) from (${rows})`;
}

function columnsOf(fields: readonly Field[]): Expression[] {
  return fields.map((field, index) => sql`${columnOf(field)} as ${alias(index)}`);
}

function recordOf(fields: readonly Field[]): Expression {
  const members = fields.map(
    (field, index) => sql`${sql.lit(field.name)}, ${encode(alias(index), field)}`,
  );
  return sql`json_object(${sql.join(members)})`;
}

function alias(index: number): Expression {
  return sql.id(`c${index}`);
}
