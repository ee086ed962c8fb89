import { hash } from 'node:crypto';

import { compile, type Dialect } from '@proj/engine/database';
import { compileCondition, type Condition, leavesOf } from '@proj/engine/following';
import { type RawBuilder, sql } from 'kysely';

import type { RelationColumn } from '../relations/relation-schema.ts';

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
  const batches: Asked[][] = [[]];
  let left = MOST_PARAMETERS;
  for (const asked of all) {
    const { parameters } = filterOf(asked);
    left -= parameters;
    const last = batches.at(-1);
    if (last !== undefined && (left >= 0 || last.length === 0)) {
      last.push(asked);
      continue;
    }
    batches.push([asked]);
    left = MOST_PARAMETERS - parameters;
  }
  return batches;
}
