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
import { PostgresQueryCompiler, sql } from 'kysely';

import { encode, keyOf } from './encode.ts';
import { duckdbGroups } from './groups.ts';
import { comparable, holds, operandOf } from './operands.ts';

/** Placeholders and names are written as in PostgreSQL. */
export const duckdbDialect: Dialect = {
  kysely: compilerOf(new PostgresQueryCompiler()),
  rows: selectRows,
  records: ({ fields, from, where, order, total }) => {
    const shown = total === undefined ? sql`` : sql`, (${total})`;
    return sqlBlock`
      select ${recordText(fields)}${shown}
      from (select ${sql.join(columnsOf(fields))} from ${from}${where} order by ${order}) as "p"`;
  },
  lists: (lists, maxBytes) => Facets.selectInOneRow(lists, textOf, { maxBytes }),
  reevaluatesColumns: true,
  maxParameters: 65_535,
  orderTerm(column, { direction, nulls, nullable }) {
    const place = nullable ? sql` nulls ${sql.raw(nulls)}` : sql``;
    return sql`${column} ${sql.raw(direction)}${place}`;
  },
  comparable,
  operand: operandOf,
  textIsOneOf: (column, values) => sql`${column} in (${sql.join(values)})`,
  textMatches(column, { value, at, ignoreCase }) {
    const [text, part] = ignoreCase
      ? [sql`lower(${column})`, sql`lower(${value}::varchar)`]
      : [column, sql`${value}::varchar`];
    if (at === 'whole') return sql`${text} = ${part}`;
    const matches = { start: 'starts_with', end: 'ends_with', anywhere: 'contains' }[at];
    return sql`${sql.raw(matches)}(${text}, ${part})`;
  },
  holds,
  groups: duckdbGroups,
  keys: {
    // Without indexes a comparison of rows, or of NULL apart, reads no less than one of the first.
    comparesRows: false,
    ordersNull: true,
    column: (column) => sql`${column}::varchar`,
    operand: (placeholder, { type, databaseType, aggregate }) =>
      type === 'interval'
        ? sql`dynamic_query_read_interval(${placeholder})`
        : sql`${placeholder}::${sql.raw(aggregate === undefined ? databaseType : 'bignum')}`,
    select: ({ rows, keys, order, step }) => sqlBlock`
      select to_json(list(json_array(${sql.join(keys)}, "n") order by "n"))::varchar
      from (${Reads.numberedRows(rows, sql`(order by ${order})`)}) as "k"
      where "n" % ${sql.lit(step)} = ${OFFSET}::bigint or "last"`,
  },
};

/**
 * The database writes the JSON text. For the names of three cities:
 *
 *     select case when strlen("json") <= 67108864 then "json" end as "json", "rows"
 *     from (
 *       select '[' || coalesce(string_agg('{"name":' || … || '}', ',' order by "n"), '') || ']'
 *           as "json", count(*) as "rows"
 *       from (select *, row_number() over () as "n" from (select …) as "r") as "p"
 *     ) as "b"
 */
function selectRows(fields: readonly Field[], page: Clauses['page']): Expression {
  const { reversed, oneMore = false, maxBytes } = page;
  const shown = oneMore ? sql` filter (where "n" < ${LIMIT}::bigint)` : sql``;
  const order = sql`order by "n"${sql.raw(reversed ? ' desc' : '')}`;
  const records = sql`string_agg(${recordText(fields)}, ',' ${order})${shown}`;
  return sqlBlock`
    select case when strlen("json") <= ${sql.lit(maxBytes)} then "json" end as "json", "rows"
    from (${arrayOf(records, sql`, count(*) as "rows"`, cutPage(columnsOf(fields), page))}) as "b"`;
}

function textOf(fields: readonly Field[], rows: Expression): Expression {
  return arrayOf(sql`string_agg(${recordText(fields)}, ',' order by "n")`, sql``, rows);
}

function arrayOf(records: Expression, others: Expression, rows: Expression): Expression {
  return sqlBlock`
    select '[' || coalesce(${records}, '') || ']' as "json"${others}
    from (select *, row_number() over () as "n" from (${rows}) as "r") as "p"`;
}

function columnsOf(fields: readonly Field[]): Expression[] {
  return fields.map((field, index) => sql`${columnOf(field)} as ${sql.id(`c${index}`)}`);
}

function recordText(fields: readonly Field[]): Expression {
  const members = fields.map((field, index) => {
    const text = encode(sql.id(`c${index}`), field);
    return sql`${keyOf(field.name, index)} || coalesce(${text}, 'null')`;
  });
  return sql`'{' || ${sql.join(members, sql` || `)} || '}'`;
}
