import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';

import type { Dialect } from '../../src/sql/dialect.ts';
import { LIMIT, OFFSET } from '../../src/sql/statement.ts';

/** No database's dialect: each of its answers is a name that a test finds in the statement. */
export const plainDialect: Dialect = {
  kysely: new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  rows(fields, { from, where, order, reversed, maxBytes }) {
    const columns = sql.join(fields.map(({ column }) => sql.id('t', column)));
    const limits = sql`limit ${LIMIT} offset ${OFFSET}`;
    const page = sql`select ${columns} from ${from}${where} order by ${order} ${limits}`;
    const records = reversed ? sql`backwards (${page})` : page;
    return sql`at_most(${sql.lit(maxBytes)}) ${records}`;
  },
  records: ({ fields, from, where, order, total }) => {
    const columns = sql.join(fields.map(({ column }) => sql.id('t', column)));
    const counted = total === undefined ? sql`` : sql`, total(${total})`;
    return sql`each ${columns}${counted} from ${from}${where} order by ${order}`;
  },
  orderTerm: (column, { direction, nulls }) =>
    sql`${column} ${sql.raw(direction)} nulls ${sql.raw(nulls)}`,
  operand: (value) => sql`${value}`,
  textIsOneOf: (column, values) => sql`bytes(${column}) in (${sql.join(values)})`,
  textMatches: (column, { value, at, ignoreCase }) =>
    sql`${sql.raw(ignoreCase ? 'folded' : 'exact')}_${sql.raw(at)}(${column}, ${value})`,
  holds: (column, { values, all }) =>
    sql`${sql.raw(all ? 'all' : 'some')} of ${sql.join(values)} in ${column}`,
  rangeMeets: (column, { value, by }) => sql`${column} ${sql.raw(by)} ${value}`,
  groups: {
    grouping: (column) => ({ by: sql`same(${column})`, value: sql`one(${column})` }),
    cut: (column, _field, { unit }) => ({ by: sql`${sql.raw(unit)}_of(${column})` }),
    bin: (column) => ({ by: sql`bin(${column})` }),
    added: (column) => sql`added(${column})`,
    sum: (column) => sql`sum(${column})`,
    average: (column) => sql`average(${column})`,
    extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
  },
  lists: () => sql`lists`,
  keys: {
    comparesRows: true,
    column: (column) => sql`key(${column})`,
    operand: (placeholder, { name }) => sql`${sql.raw(`as_${name}`)}(${placeholder})`,
    ordersNull: true,
    select: ({ rows, keys, order, step }) =>
      sql`${sql.join(keys)} by ${order} of each ${sql.lit(step)} from ${OFFSET} in (${rows})`,
  },
};
