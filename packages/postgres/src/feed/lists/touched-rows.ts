import { hash } from 'node:crypto';

import {
  columnOf,
  compile,
  type Dialect,
  type RelationPath,
  type Statement,
} from '@proj/engine/database';
import { compileCondition, type Condition, leavesOf, listedAs } from '@proj/engine/following';
import { type RawBuilder, sql } from 'kysely';

import type { Row } from '../../connection/connection.ts';
import type { KeyTexts } from '../changes/transactions.ts';
import type { BaseSnapshot } from './base.ts';
import type { KeyColumn, RelationColumn } from '../relations/relation-schema.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';

export interface RowFilter {
  /** The same for filters of the same SQL. */
  readonly name: string;
  readonly condition: Condition | undefined;
  readonly sql: RawBuilder<unknown>;
  readonly parameters: number;
}

export class RowFilters {
  readonly #dialect: Dialect;
  /** A condition may be long, and that of a prepared query recurs. */
  readonly #known = new WeakMap<Condition, RowFilter>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  of(condition: Condition | undefined): RowFilter {
    if (condition === undefined) return ALL_ROWS;
    const known = this.#known.get(condition);
    if (known !== undefined) return known;
    const compiled = compileCondition(condition, this.#dialect);
    const { sql: text, parameters } = compile(compiled, this.#dialect);
    const name = hash('sha256', JSON.stringify([text, parameters]), 'base64url');
    const filter = { name, condition, sql: compiled, parameters: parameters.length };
    this.#known.set(condition, filter);
    return filter;
  }
}

export const ALL_ROWS: RowFilter = {
  name: 'all',
  condition: undefined,
  sql: sql`true`,
  parameters: 0,
};

/** Whether the filter depends on a row's own columns only, and on no hidden state. */
export function isStable(
  { condition }: Pick<RowFilter, 'condition'>,
  columns: readonly RelationColumn[],
): boolean {
  const stable = new Set(columns.flatMap((column) => (column.isStable ? column.name : [])));
  return leavesOf(condition).every(
    (leaf) =>
      'attribute' in leaf && leaf.attribute.join === undefined && stable.has(leaf.attribute.column),
  );
}

/** The parentheses keep a filter whole. */
export function countWhere({ sql: condition }: Pick<RowFilter, 'sql'>): RawBuilder<unknown> {
  return sql`count(*) filter (where (${condition}))`;
}

/** PostgreSQL takes 65,535 parameters; lists of values may be long. */
const MOST_PARAMETERS = 20_000;

export function inStatements<Asked>(
  all: readonly Asked[],
  filterOf: (asked: Asked) => RowFilter,
): Asked[][] {
  const batches: Asked[][] = [];
  let left = 0;
  for (const asked of all) {
    const { parameters } = filterOf(asked);
    left -= parameters;
    const last = batches.at(-1);
    if (last !== undefined && left >= 0) {
      last.push(asked);
      continue;
    }
    batches.push([asked]);
    left = MOST_PARAMETERS - parameters;
  }
  return batches;
}

export interface FoundRows {
  readonly count: number;
  /** Values of the order's columns; empty where rows are only counted. */
  readonly keys: readonly KeyTexts[];
}

/** Rows that may differ between the base and another snapshot, as found in both. */
export interface FoundTwice {
  readonly before: FoundRows;
  readonly now: FoundRows;
}

interface LastAnswer {
  readonly base: BaseSnapshot;
  readonly snapshot: TransactionSnapshot;
  readonly found: readonly FoundTwice[];
}

const NO_ROWS: FoundRows = { count: 0, keys: [] };

export const NOTHING: FoundTwice = { before: NO_ROWS, now: NO_ROWS };

export interface RowQuestion {
  readonly filter: RowFilter;
  /** Columns to return; undefined to count only. */
  readonly columns: readonly string[] | undefined;
}

export function countOf(filter: RowFilter): RowQuestion {
  return { filter, columns: undefined };
}

export interface KeyedRelation {
  readonly path: RelationPath;
  readonly key: readonly KeyColumn[];
}

const KEYS = Object.freeze({ placeholder: 'keys' });

/**
 * Asks of the rows with some keys which of them are in lists.
 *
 * A key is read as the log brings it, by the input function of its type: a cast of the column to
 * text would leave out the blanks of `character(8)`. That is done before rows are looked up, since
 * the operator alone may be asked before policies are. A row counts once though several keys find
 * it, as those of `citext` that differ in case. Many lists take several statements, each of which
 * answers with one text: a column for each list would be described each time.
 */
export class TouchedRows {
  readonly questions: readonly RowQuestion[];
  /** Holds with the same base until more rows change. */
  last: LastAnswer | undefined;
  readonly #statements: readonly Statement[];

  constructor(relation: KeyedRelation, questions: readonly RowQuestion[], dialect: Dialect) {
    this.questions = questions;
    const rows = listedAs(sql`(${rowsWithKeys(relation)})`);
    this.#statements = inStatements(questions, ({ filter }) => filter).map((batch) =>
      compile(
        sql`select array_to_json(array[${sql.join(batch.map(asExpression))}]::json[]) from ${rows}`,
        dialect,
        [relation.path],
      ),
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

  read(rows: readonly Row[]): FoundRows[] {
    const answers = rows.flatMap(([text]) => JSON.parse(text ?? '[]') as Answer[]);
    return this.questions.map((_, place) => {
      const found = answers[place] ?? 0;
      if (typeof found === 'number') return { count: found, keys: [] };
      return { count: found.length, keys: found };
    });
  }
}

/** A count, or the values of each row. */
type Answer = number | readonly KeyTexts[];

function asExpression({ filter, columns }: RowQuestion): RawBuilder<unknown> {
  if (columns === undefined) return sql`to_json(${countWhere(filter)})`;
  const within = sql`filter (where (${filter.sql}))`;
  const values = columns.map((column) => sql`${columnOf({ column })}::text`);
  return sql`coalesce(json_agg(json_build_array(${sql.join(values)})) ${within}, '[]')`;
}

function rowsWithKeys({ path, key }: KeyedRelation): RawBuilder<unknown> {
  const [row, keys] = [sql.id('r'), sql.id('k')];
  const values = key.map(
    ({ type }, place) =>
      sql`(${keys} ->> ${sql.lit(place)})::${sql.raw(type)} as ${sql.id(String(place))}`,
  );
  const conditions = key.map(
    ({ name, equals }, place) =>
      sql`${sql.id('r', name)} ${sql.raw(equals)} ${sql.id('k', String(place))}`,
  );
  const number = sql`${row}.tableoid, ${row}.ctid`;
  return sql`
    select distinct on (${number}) ${row}.*
    from (
      select ${sql.join(values)}
      from json_array_elements(${KEYS}::json) ${keys} (${keys})
      offset 0
    ) ${keys}
    cross join lateral (
      select ${number}, ${row}.*
      from ${sql.id(...path)} ${row}
      where ${sql.join(conditions, sql` and `)}
      offset 0
    ) ${row}`;
}
