import { type RawBuilder, sql } from 'kysely';

import type { RelationPath } from '../../../../catalogue/relation.ts';
import { columnOf, listedAs } from '../../../../sql/clauses/column-of.ts';
import { compile } from '../../../../sql/compile/compile.ts';
import type { Dialect } from '../../../../sql/dialect.ts';
import type { Statement } from '../../../../sql/statement.ts';
import type { Row } from '../../connection/connection.ts';
import type { KeyTexts } from '../changes/changes.ts';
import type { KeyColumn } from '../relations/relation-schema.ts';
import { countWhere, inStatements, type RowFilter } from './row-filter.ts';

/** What a list has of some rows in one snapshot. */
export interface FoundRows {
  readonly count: number;
  /** Their values in the columns of the list's order; none where they are only counted. */
  readonly keys: readonly KeyTexts[];
}

/** How many rows a list has. */
export function countOf(filter: RowFilter): RowQuestion {
  return { filter, columns: undefined };
}

export const NO_ROWS: FoundRows = { count: 0, keys: [] };

/** What is asked of some rows of a relation for one list. */
export interface RowQuestion {
  readonly filter: RowFilter;
  /** The columns whose values are wanted; undefined where rows are only counted. */
  readonly columns: readonly string[] | undefined;
}

/** Where the rows with some keys are found. */
export interface KeyedRelation {
  readonly path: RelationPath;
  readonly key: readonly KeyColumn[];
}

/** The placeholder of the keys. */
const KEYS = Object.freeze({ placeholder: 'keys' });

/**
 * A statement that asks of the rows with some keys which of them are in lists. For the orders of
 * one customer:
 *
 *     select count(*) filter (where ("t"."customer" in (?)))
 *     from (
 *       select distinct on (r.tableoid, r.ctid) r.*
 *       from json_array_elements(?::json) k
 *       cross join lateral (
 *         select r.tableoid, r.ctid, r.* from "shop"."orders" r
 *         where r."id" operator(pg_catalog.=) (k ->> 0)::bigint
 *         offset 0
 *       ) r
 *     ) as "t"
 *
 * A key is read as the log brings it, by the input function of its type: a cast of the column to
 * text would leave out the blanks of `character(8)`. A row counts once though several keys find it,
 * as those of `citext` that differ in case. Many lists take several statements.
 */
export class TouchedRows {
  readonly questions: readonly RowQuestion[];
  readonly #statements: readonly Statement[];

  constructor(relation: KeyedRelation, questions: readonly RowQuestion[], dialect: Dialect) {
    this.questions = questions;
    const rows = listedAs(sql`(${rowsWithKeys(relation)})`);
    this.#statements = inStatements(questions, ({ filter }) => filter).map((batch) =>
      compile(sql`select ${expressionsOf(batch)} from ${rows}`, dialect, [relation.path]),
    );
  }

  /** @param keys each as a JSON array of texts */
  statements(keys: ReadonlySet<string>): Statement[] {
    const text = `[${[...keys].join(',')}]`;
    return this.#statements.map((statement) => ({
      ...statement,
      parameters: statement.parameters.map((one) => (one === KEYS ? text : one)),
    }));
  }

  /** What the statements answered, for each question. */
  read(rows: readonly Row[]): FoundRows[] {
    const texts = rows.flat();
    return this.questions.map(({ columns }, place) => {
      const text = texts[place] ?? '';
      if (columns === undefined) return { count: Number(text), keys: [] };
      const keys = JSON.parse(text) as KeyTexts[];
      return { count: keys.length, keys };
    });
  }
}

function expressionsOf(questions: readonly RowQuestion[]): RawBuilder<unknown> {
  return sql.join(questions.map(asExpression));
}

function asExpression({ filter, columns }: RowQuestion): RawBuilder<unknown> {
  if (columns === undefined) return countWhere(filter);
  const within = sql`filter (where (${filter.sql}))`;
  const values = columns.map((column) => sql`${columnOf({ column })}::text`);
  return sql`coalesce(json_agg(json_build_array(${sql.join(values)})) ${within}, '[]')`;
}

function rowsWithKeys({ path, key }: KeyedRelation): RawBuilder<unknown> {
  const [row, keys] = [sql.id('r'), sql.id('k')];
  const conditions = key.map(({ name, type, equals }, place) => {
    const value = sql`(${keys} ->> ${sql.lit(place)})::${sql.raw(type)}`;
    return sql`${sql.id('r', name)} ${sql.raw(equals)} ${value}`;
  });
  const number = sql`${row}.tableoid, ${row}.ctid`;
  return sql`
    select distinct on (${number}) ${row}.*
    from json_array_elements(${KEYS}::json) ${keys}
    cross join lateral (
      select ${number}, ${row}.*
      from ${sql.id(...path)} ${row}
      where ${sql.join(conditions, sql` and `)}
      offset 0
    ) ${row}`;
}
