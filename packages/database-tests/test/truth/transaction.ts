import type { Fixture } from '../fixtures/fixture.ts';
import { columnsOf, type Row, type Value } from './models.ts';
import type { Edit } from './world.ts';

/** What a writer does between `begin` and the statement that makes it visible. */
export interface Transaction {
  readonly statements: readonly string[];
  /** The statement at which everybody sees the edits at once. */
  readonly closing: string;
  readonly edits: readonly Edit[];
}

/** So many rows are inserted by one statement. */
const ROWS_PER_STATEMENT = 500;

/** A transaction in which each edit is a statement of its own. */
export function editing(fixture: Fixture, edits: readonly Edit[]): Transaction {
  return { statements: edits.map((edit) => statementOf(fixture, edit)), closing: 'commit', edits };
}

/** The same transaction with a part that is taken back before its end. */
export function withDetour({ statements, ...rest }: Transaction, id: number): Transaction {
  const detour = [
    'savepoint detour',
    `update tasks set note = 'never' where id = ${id}`,
    'rollback to savepoint detour',
  ];
  return { ...rest, statements: [...detour, ...statements] };
}

/** A transaction that fills an empty table. */
export function filling(fixture: Fixture, table: Edit['table'], rows: readonly Row[]): Transaction {
  const statements: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const tuples = rows
      .slice(from, from + ROWS_PER_STATEMENT)
      .map((row) => tupleOf(fixture, table, row));
    statements.push(`insert into ${table} values ${tuples.join(', ')}`);
  }
  return {
    statements,
    closing: 'commit',
    edits: rows.map((after) => ({ table, before: undefined, after })),
  };
}

function statementOf(fixture: Fixture, { table, before, after }: Edit): string {
  if (after === undefined) return `delete from ${table} where id = ${before?.id}`;
  if (before === undefined) return `insert into ${table} values ${tupleOf(fixture, table, after)}`;
  const changed = columnsOf(table).filter((column) => before[column] !== after[column]);
  // An update that changes nothing is a commit all the same.
  const assigned = (changed.length === 0 ? ['id'] : changed).map(
    (column) => `${column} = ${literal(fixture, after[column])}`,
  );
  return `update ${table} set ${assigned.join(', ')} where id = ${after.id}`;
}

function tupleOf(fixture: Fixture, table: Edit['table'], row: Row): string {
  return `(${columnsOf(table)
    .map((column) => literal(fixture, row[column]))
    .join(', ')})`;
}

function literal(fixture: Fixture, value: Value = null): string {
  return fixture.literal(value, typeof value === 'string' ? 'text' : 'int32');
}
