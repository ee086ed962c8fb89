import { sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import { cutPage } from '../../sql/clauses/page-clauses.ts';
import { columnOf } from '../../sql/clauses/relation-rows.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { type Expression, LIMIT } from '../../sql/statement.ts';
import { selectInOneRow } from '../facets/facet-sql.ts';
import { sqlBlock } from '../text/sql-block.ts';

/** How a database writes the JSON text of rows with the columns `c0`, `c1` … */
export interface JsonSql {
  readonly record: (fields: readonly Field[]) => Expression;
  /** Aggregates such texts. The order is that of the rows unless it says another. */
  readonly array: (records: Expression, order: Expression, filter: Expression) => Expression;
  /** Whether aggregates lose the order of rows. Default: false. */
  readonly losesOrder?: boolean;
  /** Of what a statement saw. Default: none. */
  readonly version?: Expression;
}

/**
 * Statements of a database that writes JSON itself. On PostgreSQL, for the names of three cities:
 *
 *     select case when octet_length("json") <= 67108864 then "json" end as "json", "rows"
 *     from (
 *       select '[' || coalesce(string_agg('{"name":' || … || '}', ','), '') || ']' as "json",
 *         count(*) as "rows"
 *       from (select "t"."name" as "c0" from "public"."cities" as "t" … limit $1 offset $2) as "p"
 *     ) as "b"
 */
export function jsonStatements({
  record,
  array,
  losesOrder = false,
  version,
}: JsonSql): Pick<Dialect, 'rows' | 'records' | 'lists'> {
  const [json, count, number, name] = ['json', 'rows', 'n', 'version'].map((one) => sql.id(one));
  const numbered = (rows: Expression): Expression =>
    sql`select *, row_number() over () as ${number} from (${rows}) as ${sql.id('r')}`;
  const inOrder = losesOrder ? numbered : (rows: Expression): Expression => rows;
  const ownOrder = losesOrder ? sql` order by ${number}` : sql``;
  const textOf = (fields: readonly Field[], rows: Expression): Expression => {
    const text = array(record(fields), ownOrder, sql``);
    return sql`select ${text} from (${inOrder(rows)}) as ${sql.id('p')}`;
  };
  const versions = version === undefined ? [] : [sql`${version} as ${name}`];
  return {
    rows(fields, page) {
      const { reversed, oneMore = false, maxBytes } = page;
      const cut = cutPage(columnsOf(fields), page);
      const source = reversed || oneMore ? numbered(cut) : inOrder(cut);
      const order = reversed ? sql` order by ${number} desc` : ownOrder;
      const filter = oneMore ? sql` filter (where ${number} < cast(${LIMIT} as bigint))` : sql``;
      const records = array(record(fields), order, filter);
      const found = [sql`${records} as ${json}`, sql`count(*) as ${count}`, ...versions];
      const short = sql`case when octet_length(${json}) <= ${sql.lit(maxBytes)} then ${json} end`;
      const shown = [sql`${short} as ${json}`, count, ...versions.map(() => name)];
      return sqlBlock`
        select ${sql.join(shown)}
        from (select ${sql.join(found)} from (${source}) as ${sql.id('p')}) as ${sql.id('b')}`;
    },
    records({ fields, from, where, order, total }) {
      const shown = [record(fields), ...(total === undefined ? [] : [sql`(${total})`])];
      return sqlBlock`
        select ${sql.join(shown)}
        from (select ${sql.join(columnsOf(fields))} from ${from}${where} order by ${order})
          as ${sql.id('p')}`;
    },
    lists: (lists, maxBytes) => selectInOneRow(lists, textOf, { maxBytes, others: versions }),
  };
}

/** Texts of values, joined to `{"name":…}` and `[…]`. */
export function joinedTexts(
  encode: (value: Expression, field: Field) => Expression,
  literal = (text: string): Expression => sql.lit(text),
) {
  return {
    record: (fields: readonly Field[], valueOf = outputAt) => {
      const members = fields.map((field, index) => {
        const key = literal(`${index === 0 ? '{' : ','}${JSON.stringify(field.name)}:`);
        return sql`${key} || coalesce(${encode(valueOf(field, index), field)}, 'null')`;
      });
      return sql`${sql.join(members, sql` || `)} || '}'`;
    },
    array: (...[records, order, filter]: Parameters<JsonSql['array']>) =>
      sql`'[' || coalesce(string_agg(${records}, ','${order})${filter}, '') || ']'`,
  };
}

function columnsOf(fields: readonly Field[]): Expression[] {
  return fields.map((field, index) => sql`${columnOf(field)} as ${outputAt(field, index)}`);
}

function outputAt(_: Field, index: number): Expression {
  return sql.id(`c${index}`);
}
