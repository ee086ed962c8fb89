import { type Dialect, LIMIT, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/**
 * How lists that vary are read. A page and its total are two statements of one snapshot otherwise,
 * and the two would evaluate a view apart.
 *
 * @param rows the statement of a page
 */
export function varyingStatements(rows: Dialect['rows']): Partial<Dialect> {
  return {
    pageWithTotal: (page) => withNumber(rows(page.fields, page), page.count),
    rowsWithCount: (page) => withNumber(rows(page.fields, page), page.count),
    recordPage: ({ rows: numbered, name: list, count, fields, maxBytes }) => {
      const number = sql.id('n');
      const size = sql`cast(${LIMIT} as integer)`;
      const rank = sql`(select min(${number}) from ${list} where ${sql.id('is_record')} = 1)`;
      const page = rows(fields, {
        from: sql`${list} as ${sql.id('t')}`,
        where: sql` where ${number} / ${size} = ${rank} / ${size}`,
        order: number,
        reversed: false,
        maxBytes,
      });
      return sqlBlock`
        with ${list} as materialized (${numbered})
        select *, (${count}), ${rank}
        from (${page})`;
    },
  };
}

/** A page, and a number behind it. */
function withNumber(rows: Expression, count: Expression): Expression {
  return sql`select *, (${count}) from (${rows})`;
}
