import type { KeysStatement, QueryStatements, RowsStatement } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { RowsRead, SortEstimate, Versioned } from './primitives.ts';
import type { RelationPath } from '../../catalogue/relation.ts';
import type { FacetValues } from '../../sql/group-clauses.ts';

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

/** The keys of one statement: their values as bound, and their places in it, from 0. */
export interface KeyRows {
  readonly rows: readonly (readonly unknown[])[];
}

export interface KeySnapshot extends Snapshot {
  keys(read: KeysStatement): Promise<KeyRows>;
  estimateSort(read: KeysStatement): Promise<Pick<SortEstimate, 'rows'>>;
}

export interface SnapshotTerms extends Partial<
  Pick<QueryStatements, 'lock' | 'version' | 'session'>
> {
  /** Whose version is wanted; undefined where none is. */
  readonly relations?: readonly RelationPath[] | undefined;
}

/** What holds for a kind of read in all databases. */
export interface ReadRule<Asked> {
  termsOf(asked: Asked): SnapshotTerms;
  /** Default: the shape of the call. */
  shapeOf?(asked: Asked): string;
  /** Whether callers do not use its connection. */
  readonly isBackground?: boolean;
}

/** A kind that every database can answer in one snapshot. */
export interface SnapshotRule<Asked, Found extends Versioned> extends ReadRule<Asked> {
  /** The result has the version that the statements report. */
  inSnapshot(snapshot: Snapshot, asked: Asked, values: FacetValues): Promise<Found>;
}
