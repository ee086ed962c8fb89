import type { KeyRows } from '../followed.ts';
import type { KeysStatement, RowsStatement } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { RowsRead, SortEstimate } from './primitives.ts';

/** One state of the database, in which statements are read one after another. */
export interface Snapshot {
  rows(read: RowsStatement): Promise<RowsRead>;
  /** @param isCommon whether one plan serves for all values of its parameters. Default: false. */
  count(count: Statement, isCommon?: boolean): Promise<bigint>;
  /**
   * The only row of a statement, in the values of the database; undefined where it has none.
   *
   * @param isCommon as in {@link count}
   */
  row(statement: Statement, isCommon?: boolean): Promise<readonly unknown[] | undefined>;
  /**
   * Reads the rows of a statement, no faster than they are taken. Absent where the source reads
   * whole lists in another way.
   */
  each?(statement: Statement, take: TakeRow): Promise<unknown>;
  /** The version of this state; undefined where the database reports none. */
  version(): Promise<string | undefined>;
}

/** Takes a row, and returns what to wait for before the next one; undefined for nothing. */
export type TakeRow = (row: readonly unknown[]) => Promise<void> | undefined;

/** A snapshot in which keys are read too. */
export interface KeySnapshot extends Snapshot {
  keys(read: KeysStatement): Promise<KeyRows>;
  /** Asks the planner what reading keys would sort. */
  estimateSort(read: KeysStatement): Promise<Pick<SortEstimate, 'rows'>>;
}
