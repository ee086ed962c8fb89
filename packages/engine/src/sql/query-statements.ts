import type { Field } from '../catalogue/field.ts';
import type { RelationPath } from '../catalogue/relation.ts';
import type { Key } from './clauses/key-ranges.ts';
import type { Statement, StatementSession, Template } from './statement.ts';

/**
 * The statements of a list, whatever its page. A source runs those that answer one page in one
 * snapshot.
 */
export interface QueryStatements {
  /** Which relations are read. */
  readonly relations: readonly RelationPath[];
  /** What the rows select, in order. */
  readonly fields: readonly Field[];
  /** The records of a page, in the form that the dialect chose. */
  readonly rows: Template;
  /**
   * The same records, found from the end of the list: its offset counts the records after the
   * page. Undefined where that is off.
   */
  readonly reversed: Template | undefined;
  /** One row with one column: how many records the list has, or a bound number of them at most. */
  readonly count: Template;
  /** The records and such a count behind them, where one statement reads both. */
  readonly atOnce: Template | undefined;
  /**
   * What a transaction begins with, where a snapshot alone does not show one state of the data.
   */
  readonly lock: Statement | undefined;
  /** As in {@link Statement}. */
  readonly session?: StatementSession | undefined;
  /** Reads the version of the data, where statements report one. */
  readonly version?: Statement | undefined;
  /** Whether a page that is not full may prove the total by itself. */
  readonly shortPageProof: boolean;
  /** How many bytes the records of a page may take as JSON. */
  readonly maxBytes: number;
}

/** The statements that read all records of a list in its order. */
export interface WholeListStatements extends Pick<
  QueryStatements,
  'relations' | 'fields' | 'lock' | 'session'
> {
  /** The records, each in a row of its own, in the form that the dialect chose. */
  readonly records: Statement;
  /** One row with one column: how many records there are. */
  readonly count: Statement;
  /**
   * The records, each with the total behind it, for relations of which two statements may see two
   * states; undefined where a transaction sees one.
   */
  readonly countedRecords: Statement | undefined;
  /** Reads the version of the data, where statements report one. */
  readonly version: Statement | undefined;
  /** One row with one column: the number of a field that holds a misfit, from 1 on; 0 for none. */
  readonly misfit?: Statement | undefined;
}

/** Which part of a list a page is. */
export interface PageRange {
  readonly size: number;
  /** How many records come before the page. */
  readonly offset: bigint;
}

/** A statement that reads records, and what its rows hold. */
export interface RowsStatement {
  /** Which relations are read. */
  readonly relations: readonly RelationPath[];
  readonly statement: Template;
  readonly bindings: PageRange & { readonly key?: readonly unknown[]; readonly count?: number };
  readonly fields: readonly Field[];
  /** Whether it finds the records from the end. */
  readonly reversed: boolean;
  /** Whether the last record that its size allows for is counted, and not shown. Default: false. */
  readonly oneMore?: boolean;
  readonly maxBytes: number;
}

/** The statements of a chunk: some consecutive rows of an ordered list. */
export interface KeyTemplates {
  /** Selects one of every so many keys of the chunk, and its last one. */
  readonly keys: Template;
  /** Selects the rows of the chunk and nothing else, to ask the planner about. */
  readonly rows: Template;
  /** How many bytes the values of a key take at most, where the dialect knows; else 0. */
  readonly keyBytes: number;
}

/** A statement that reads some of the keys of consecutive rows of an ordered list. */
export interface KeysStatement extends KeyTemplates {
  /** Which relations are read. */
  readonly relations: readonly RelationPath[];
  /** As in {@link QueryStatements}. */
  readonly lock: Statement | undefined;
  /**
   * How many rows it reads, the place of the first of every so many rows whose key is wanted, and
   * the key that the rows come after.
   */
  readonly bindings: PageRange & { readonly key: Key };
  /** Whether the rows may be sorted; otherwise an index is to bring them in order, if it can. */
  readonly maySort: boolean;
}
