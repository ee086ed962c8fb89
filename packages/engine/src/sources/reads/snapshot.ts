import type { KeyRows } from '../followed.ts';
import type { KeysStatement, RowsStatement } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { RowsRead, SortEstimate } from './primitives.ts';

export interface Snapshot {
  rows(read: RowsStatement): Promise<RowsRead>;
  /** @param isCommon whether one plan serves all values of its parameters. Default: false. */
  count(count: Statement, isCommon?: boolean): Promise<bigint>;
  /** @param isCommon as in {@link count} */
  row(statement: Statement, isCommon?: boolean): Promise<readonly unknown[] | undefined>;
  /** Reads rows no faster than taken. Absent where the source reads whole lists another way. */
  each?(statement: Statement, take: TakeRow): Promise<unknown>;
  version(): Promise<string | undefined>;
}

/** Returns what to wait for before the next row. */
export type TakeRow = (row: readonly unknown[]) => Promise<void> | undefined;

export interface KeySnapshot extends Snapshot {
  keys(read: KeysStatement): Promise<KeyRows>;
  estimateSort(read: KeysStatement): Promise<Pick<SortEstimate, 'rows'>>;
}
