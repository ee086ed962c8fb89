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
  /** The version of this state; undefined where the database reports none. */
  version(): Promise<string | undefined>;
}

/** A snapshot in which keys are read too. */
export interface KeySnapshot extends Snapshot {
  keys(read: KeysStatement): Promise<KeyRows>;
  /** Asks the planner what reading keys would sort. */
  estimateSort(read: KeysStatement): Promise<Pick<SortEstimate, 'rows'>>;
}
