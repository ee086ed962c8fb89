import {
  columnOf,
  compilerOf,
  cutPage,
  type Dialect,
  type Expression,
  type Field,
  sqlBlock,
} from '@proj/engine/database';
import { MysqlQueryCompiler, sql } from 'kysely';

import { selectLists } from './facets/select-lists.ts';
import { mysqlGroups } from './facets/groups.ts';
import { mysqlKeys } from './introspection/keys.ts';
import { holds } from './values/held-values.ts';
import { misfits } from './values/wire-types.ts';
import { comparable, operandOf } from './values/operands.ts';
import { textIsOneOf, textMatches } from './values/text-comparison.ts';

/** Only the server can print these. */
const GEOMETRIES = /^(geometry|point|linestring|polygon|multi\w+|geom\w*collection)\b/;

/** Values come as the driver reads them; `encode.ts` makes JSON of them. */
export const mysqlDialect: Dialect = {
  kysely: compilerOf(new MysqlQueryCompiler()),

  /** Rows of a reversed order are turned round when they are encoded. */
  rows: (fields, page) => cutPage(selected(fields, page), page),

  /**
   * Every row ends with the numbers. One statement sees one state of the data, on engines without
   * transactions too:
   *
   *     select `t`.`name` as `c0`, (select count(*) from `cities` as `t`) as `n0`
   *       from `cities` as `t` order by `t`.`id` asc limit ? offset ?
   */
  atOnce: ({ fields, numbers, ...page }) => {
    const behind = numbers.map((number, index) => sql`${number} as ${sql.id(`n${index}`)}`);
    return cutPage([...selected(fields, page), ...behind], page);
  },

  records: ({ fields, total, from, where, order, ...names }) => {
    const columns = selected(fields, names);
    const shown =
      total === undefined ? columns : [...columns, sql`(${total}) as ${sql.id('total')}`];
    return sqlBlock`
      select ${sql.join(shown)}
      from ${from}${where}
      order by ${order}`;
  },

  // The protocol counts them in 16 bits.
  maxParameters: 65_535,

  /** There is no `nulls last`; NULL sorts first. */
  orderTerm(column, { direction, nulls, nullable }) {
    const plain = sql`${column} ${sql.raw(direction)}`;
    if (!nullable || (direction === 'asc') === (nulls === 'first')) return plain;
    return sql`${column} is null ${sql.raw(nulls === 'last' ? 'asc' : 'desc')}, ${plain}`;
  },

  /** Else only tables of the first statement are locked before the snapshot; others lose rows. */
  lock(relations) {
    const [first, ...others] = relations;
    if (first === undefined || others.length === 0) return undefined;
    const joins = others.map((other) => sql` left join ${other} on true`);
    return sql`select 1 from ${first}${sql.join(joins, sql``)} where false`;
  },

  // In `where`, `is null` also finds `0000-00-00` where no NULL can be. Vectors don't compare.
  isNull: (column, field) =>
    field?.databaseType.startsWith('vector') === true
      ? sql`${column} is null`
      : sql`${column} <=> null`,
  comparable,
  lists: selectLists,
  groups: mysqlGroups,
  keys: mysqlKeys,
  misfits,
  // A quotient of MariaDB has digits that it does not show, and only `=` leaves them out.
  isOneOf(column, operands, { type }) {
    if (type !== 'decimal' || operands.length === 1) return undefined;
    const equal = operands.map((operand) => sql`${column} = ${operand}`);
    return sql`(${sql.join(equal, sql` or `)})`;
  },
  operand: operandOf,
  textIsOneOf,
  textMatches,
  holds,

  reevaluatesColumns: true,

  /**
   * MariaDB evaluates a `with` for each use unless it recurses. This recursion adds no rows. The
   * first may vary, and the others read it: those beyond are evaluated for each use.
   */
  evaluateOnce: (statement, lists) => {
    const evaluated = lists.map(({ name, rows }, index) => {
      const recursion = sql` union all select * from ${name} where false`;
      return sql`${name} as (${rows}${index < MOST_RECURSIONS ? recursion : sql``})`;
    });
    return sqlBlock`
      with recursive ${sql.join(evaluated)}
      ${statement}`;
  },
};

/** Each further one doubles the time to prepare a statement on MariaDB: 20 take seconds. */
const MOST_RECURSIONS = 10;

/** Renamed, since the driver refuses some column names. */
function selected(fields: readonly Field[], { outputs = 'c' }: Outputs): Expression[] {
  return fields.map((field, index) => {
    const value = columnOf(field);
    const shown = GEOMETRIES.test(field.databaseType) ? sql`st_astext(${value})` : value;
    return sql`${shown} as ${sql.id(`${outputs}${index}`)}`;
  });
}

interface Outputs {
  readonly outputs?: string;
}
