import type { KeysStatement, RowsStatement, StatementTerms } from '../../sql/query-statements.ts';
import type { Statement } from '../../sql/statement.ts';
import type { FacetValues } from '../../sql/dialect.ts';
import type { ReadCall } from '../read-call.ts';

export interface Versioned {
  readonly version: string | undefined;
}

export function unversioned<Value extends object>(value: Value): Value & Versioned {
  return { ...value, version: undefined };
}

export interface RowRead extends Versioned {
  readonly cells: readonly unknown[] | undefined;
}

export interface RowsRead extends Versioned {
  /** A JSON array; undefined beyond `maxBytes`. */
  readonly json: string | undefined;
  readonly rows: number;
  readonly numbers?: readonly (bigint | null)[] | undefined;
  /** A log position that has everything read; absent where not asked for. */
  readonly position?: string | undefined;
  /** How many records the list has in the same state; absent if unknown. */
  readonly followedTotal?: bigint | undefined;
}

export interface SortEstimate {
  /** 0 with an index; infinity where the planner does not say. */
  readonly rows: number;
  readonly rowBytes: number;
  /** Bytes a sort may take before it uses files. */
  readonly memoryBytes: number;
  /** Whether the database bounds its sorts itself, and no writer waits for them. Default: no. */
  readonly isBounded?: boolean;
  /** Index conditions in the source's words; undefined where any column may be among them. */
  readonly conditions?: readonly string[] | undefined;
}

export interface Snapshot {
  rows(read: RowsStatement): Promise<RowsRead>;
  /** @param isCommon whether one plan serves all values of its parameters. Default: false. */
  count(count: Statement, isCommon?: boolean): Promise<bigint>;
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

/** Without relations no version is wanted. */
export type SnapshotTerms = {
  readonly [Term in keyof StatementTerms]?: StatementTerms[Term] | undefined;
};

/** What holds for a kind of read in all databases, each of which can answer it in one snapshot. */
export interface SnapshotRule<Asked, Found extends Versioned> {
  termsOf(asked: Asked): SnapshotTerms;
  /** Default: the shape of the call. */
  shapeOf?(asked: Asked): string;
  readonly lane?: ReadCall['lane'];
  /** The result has the version that the statements report. */
  inSnapshot(snapshot: Snapshot, asked: Asked, values: FacetValues): Promise<Found>;
}
