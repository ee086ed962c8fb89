import { compilerOf, type Dialect, OFFSET, Reads, sqlBlock } from '@proj/engine/database';
import { PostgresQueryCompiler, sql } from 'kysely';

import { encode } from './encode.ts';
import { duckdbGroups } from './groups.ts';
import { comparable, holds, operandOf } from './operands.ts';

/** Placeholders and names are written as in PostgreSQL. */
export const duckdbDialect: Dialect = {
  kysely: compilerOf(new PostgresQueryCompiler()),
  ...Reads.jsonStatements({ ...Reads.joinedTexts(encode), losesOrder: true }),
  reevaluatesColumns: true,
  maxParameters: 65_535,
  orderTerm(column, { direction, nulls, nullable }) {
    const place = nullable ? sql` nulls ${sql.raw(nulls)}` : sql``;
    return sql`${column} ${sql.raw(direction)}${place}`;
  },
  comparable,
  misfits: (column, { type, items = type }) =>
    /^(date|timestamp)/.test(items) ? sql`contains(${column}::varchar, 'infinity')` : undefined,
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
