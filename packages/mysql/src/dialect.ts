import {
  columnOf,
  cutPage,
  type Dialect,
  type Field,
  LIMIT,
  OFFSET,
  sqlBlock,
} from '@proj/engine/database';
import {
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';

import { mysqlFacets } from './facets/facet-statements.ts';
import { mysqlGroups } from './facets/groups.ts';
import { mysqlKeys } from './introspection/keys.ts';
import { misfits } from './values/misfits.ts';
import { comparable, operandOf } from './values/operands.ts';
import { textIsOneOf, textMatches } from './values/text-comparison.ts';

type Expression = RawBuilder<unknown>;

const TOTAL = sql.id('total');

/** Column types of which the server gives bytes that only it can print. */
const GEOMETRIES = /^(geometry|point|linestring|polygon|multi\w+|geom\w*collection)\b/;

/**
 * The answers of MySQL and MariaDB. Values come as the driver reads them; `encode.ts` makes JSON of
 * them.
 */
export const mysqlDialect: Dialect = {
  kysely: new Kysely({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  }),

  /** The rows as they are; those of a reversed order are turned round when they are encoded. */
  rows: (fields, page) => cutPage(fields.map(selected), page),

  /**
   * Every row ends with the total. One statement sees one state of the data, on engines without
   * transactions too:
   *
   *     select `t`.`name` as `c0`, (select count(*) from `cities` as `t`) as `total`
   *       from `cities` as `t` order by `t`.`id` asc limit ? offset ?
   */
  pageWithTotal: ({ fields, count, ...page }) =>
    cutPage([...fields.map(selected), sql`(${count}) as ${TOTAL}`], page),

  records: ({ fields, total, from, where, order }) => {
    const columns = fields.map(selected);
    const shown = total === undefined ? columns : [...columns, sql`(${total}) as ${TOTAL}`];
    return sqlBlock`
      select ${sql.join(shown)}
      from ${from}${where}
      order by ${order}`;
  },

  /** Likewise each row ends with the count, which stops at its limit. */
  rowsWithCount: ({ fields, count, ...page }) =>
    cutPage([...fields.map(selected), sql`(${count}) as ${TOTAL}`], page),

  /**
   * Each row ends with the total and the number of the record. A list without it gives none. A
   * window over all rows would take the square of their number.
   */
  recordPage({ rows, count, fields }) {
    const [number, rank] = [sql.id('t', 'n'), sql.id('r', 'rank')];
    const size = sql`cast(${LIMIT} as signed)`;
    const place = sql`select min(${sql.id('n')}) as ${sql.id('rank')}
      from (${rows}) as ${sql.id('l')} where ${sql.id('is_record')} = 1`;
    return cutPage([...fields.map(selected), sql`(${count}) as ${sql.id('total')}`, rank], {
      from: sql`(${rows}) as ${sql.id('t')} cross join (${place}) as ${sql.id('r')}`,
      where: sql` where ${number} div ${size} = ${rank} div ${size}`,
      order: number,
    });
  },

  emptyPage({ from, where, count }) {
    const row = sql`select 1 from ${from}${where} limit 1 offset ${OFFSET}`;
    return sql`select (${count}) as ${TOTAL}, (${row}) as ${sql.id('row')}`;
  },

  /** Every row carries the total, however few they are. */
  provesShortPages: false,
  // The protocol counts them in 16 bits.
  maxParameters: 65_535,

  /** There is no `nulls last`; NULL is the smallest value. */
  orderTerm(column, { direction, nulls, nullable }) {
    const plain = sql`${column} ${sql.raw(direction)}`;
    if (!nullable || (direction === 'asc') === (nulls === 'first')) return plain;
    return sql`${column} is null ${sql.raw(nulls === 'last' ? 'asc' : 'desc')}, ${plain}`;
  },

  /**
   * The first statement of a transaction locks its own tables before the snapshot, and those that
   * later ones join could be emptied until then. This one reads nothing.
   */
  lock(relations) {
    const [first, ...others] = relations;
    if (first === undefined || others.length === 0) return undefined;
    const joins = others.map((other) => sql` left join ${other} on true`);
    return sql`select 1 from ${first}${sql.join(joins, sql``)} where false`;
  },

  // In `where`, `is null` finds `0000-00-00` too in a column of dates that takes no NULL.
  // MySQL does not compare vectors.
  isNull: (column, field) =>
    field?.databaseType.startsWith('vector') === true
      ? sql`${column} is null`
      : sql`${column} <=> null`,
  comparable,
  facets: mysqlFacets,
  groups: mysqlGroups,
  keys: mysqlKeys,
  misfits,
  operand: operandOf,
  textIsOneOf,
  textMatches,

  /**
   * MariaDB evaluates a `with` anew wherever it is named, unless it is recursive. This one adds
   * nothing to its rows.
   */
  varying: {
    reevaluatesColumns: true,
    evaluateOnce: (statement, { name, rows }) => sqlBlock`
      with recursive ${name} as (
        ${rows} union all select * from ${name} where false
      )
      ${statement}`,
  },
};

/** Named anew, since the driver refuses some names that a column may have. */
function selected(field: Field, index: number): Expression {
  const value = columnOf(field);
  const shown = GEOMETRIES.test(field.databaseType) ? sql`st_astext(${value})` : value;
  return sql`${shown} as ${sql.id(`c${index}`)}`;
}
