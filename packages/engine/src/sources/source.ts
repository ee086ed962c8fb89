import type { Deadline } from '../deadline.ts';
import type { Relation } from '../catalogue/relation.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { PageRange, QueryStatements, RowsStatement } from '../sql/query-statements.ts';
import type { Statement } from '../sql/statement.ts';
import type { Callers } from './callers.ts';

/** A page of a list. */
export interface QueryPage {
  readonly query: QueryStatements;
  readonly range: PageRange;
}

/** Elements that were read in one statement. */
export interface RowsRead {
  /** The text of a JSON array of elements; undefined where it is longer than it may be. */
  readonly json: string | undefined;
  /** How many elements the page has. */
  readonly rows: number;
  /** The version of the data that was read; undefined where it cannot be told. */
  readonly version: string | undefined;
}

/** One page with its total, both from the same snapshot. */
export interface PageRows extends RowsRead {
  readonly total: bigint;
  /**
   * How long the rows and the total took, in milliseconds; all is under `rows` where one statement
   * told both.
   */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/**
 * Every so many elements, the values of the columns that order a list, in the form in which the
 * database binds them.
 */
export interface Checkpoints {
  readonly keys: readonly (readonly unknown[])[];
  readonly version: string | undefined;
}

/**
 * One read: its deadline, and whom it is for. At the deadline, or when the caller disconnects, the
 * statement is stopped in the database.
 */
export interface ReadCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /**
   * Statements of the same shape are expected to cost the same. Default: a statement that is known
   * to be quick.
   */
  readonly shape?: string;
}

/** A database that can be asked for pages. */
export interface Source {
  readonly dialect: Dialect;
  /** @throws {QueryFailedError} when the database gives no answer. */
  introspect(): Promise<Relation[]>;
  /** The relations, with what a sample of their rows says of columns whose types say too little. */
  sample?(relations: readonly Relation[]): Promise<Relation[]>;
  /**
   * Reads a page and its total from one snapshot.
   *
   * @throws {QueryFailedError} when the database gives no answer, in time or at all.
   */
  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows>;
  /**
   * Reads several pages, of lists that have one total, from one snapshot of relations that have
   * `snapshots`; otherwise as {@link readPage}.
   */
  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]>;
  /** Reads a total alone; otherwise as {@link readPage}. */
  count(count: Statement, call: ReadCall): Promise<bigint>;
  /** Reads the elements of a page alone; otherwise as {@link readPage}. */
  readRows(read: RowsStatement, call: ReadCall): Promise<RowsRead>;
  /**
   * Reads keys for an index of pages, beside the queries of callers; otherwise as {@link readPage}.
   */
  readCheckpoints?(checkpoints: Statement, call: ReadCall): Promise<Checkpoints>;
  /**
   * The version of the data now, read after the call: two reads that saw the same version saw the
   * same data, in every relation that is `versioned`. Undefined where it cannot be told at the
   * moment.
   */
  version?(): Promise<string | undefined>;
  /**
   * What other processes over the same database would call a version, where that is not the version
   * itself.
   */
  shared?(version: string): string;
  /**
   * Whether somebody who reads for long keeps others from writing, as on SQLite without a
   * write-ahead log.
   */
  readonly readsHoldUpWrites?: boolean;
  /** @throws {QueryFailedError} when the database does not answer. */
  ping(): Promise<void>;
  /** What an operator should know, such as a role that could write. */
  warnings?(): Promise<string[]>;
  close(): Promise<void>;
}
