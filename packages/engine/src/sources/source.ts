import type { Relation } from '../catalogue/relation.ts';
import type { Deadline } from '../deadline.ts';
import type { Condition } from '../planning/condition.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { FacetStatements } from '../sql/facet-statements.ts';
import type {
  BoundedStatements,
  KeysStatement,
  PageRange,
  QueryStatements,
  RecordPageStatement,
  RelationPath,
  RowsStatement,
  WholeListStatements,
} from '../sql/query-statements.ts';
import type { Statement, Template } from '../sql/statement.ts';
import type { Callers } from './callers.ts';
import type { FeedWatch } from './feed-watch.ts';
import type { FollowReport } from './follow-report.ts';
import type { LogPositions, LogState } from './log-position.ts';
import type { FollowedOrder, KeyRows, MaintainedIndex } from './followed.ts';
import type { ListCall, ListSink } from './whole-list.ts';

/** A page of a prepared query. */
export interface QueryPage {
  readonly query: QueryStatements;
  readonly range: PageRange;
}

/** The records that one statement read. */
export interface RowsRead {
  /** The text of a JSON array; undefined where it would be longer than `maxBytes`. */
  readonly json: string | undefined;
  readonly rows: number;
  /** The version of the data that was read; undefined where the database reports none. */
  readonly version: string | undefined;
  /**
   * A position in the log of the server that has everything which was read; absent where the read
   * did not ask for one.
   */
  readonly position?: string | undefined;
  /** How many records the list has in the same state; absent where that is not known. */
  readonly followedTotal?: bigint | undefined;
}

/** A page with its total, both from one snapshot. */
export interface PageRows extends RowsRead {
  readonly total: bigint;
  /** How long each took; all is under `rows` where one statement read both. */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/** A page of a list that is not counted, or only as far as a limit. */
export interface BoundedPage {
  readonly query: BoundedStatements;
  readonly range: PageRange;
  /** How many records are counted at most; 0 for none. */
  readonly countLimit: number;
}

/** Such a page, and what is known of the total, from one snapshot. */
export interface BoundedRows extends RowsRead {
  /**
   * How many records the list has. Undefined where they are more than the limit, or were not
   * counted and the page is not the last one.
   */
  readonly total: bigint | undefined;
  /** Whether another page follows. */
  readonly hasNext: boolean;
  readonly milliseconds: PageRows['milliseconds'];
}

/** A page that was found by a record that it holds, with its total, all from one snapshot. */
export interface RecordRows extends PageRows {
  /** How many records come before the page; undefined where the list does not have the record. */
  readonly offset: bigint | undefined;
}

/** The page of a list that holds a record is asked for. */
export interface AskedRecord {
  readonly query: QueryStatements;
  readonly size: number;
  /** Selects the key of the record. */
  readonly find: Statement;
  /** Counts the records before one whose key has NULL in these places. */
  readonly before: { readonly nulls: readonly boolean[]; readonly template: Template };
  /** How many records the list has; undefined where that is not known. */
  readonly total: bigint | undefined;
}

/** Such a page, unless the key of the record has NULL in other places. */
export interface RecordReading extends RecordRows {
  readonly otherNulls?: readonly boolean[];
}

/** A facet that was read: the values of an attribute, each with its number of records. */
export interface FoundValues {
  readonly kind: 'values';
  /** The JSON text of an array of values and counts, as it is sent. */
  readonly values: string;
  /** How many different values there are. */
  readonly distinct: bigint;
}

/** A facet that was read: how many records have a value between two of some bounds. */
export interface FoundBins {
  readonly kind: 'bins';
  /** JSON texts, in order, one more than there are bins; none where there is no bin. */
  readonly bounds: readonly string[];
  readonly counts: readonly bigint[];
  /** How many records have a value in no bin. */
  readonly others: bigint;
  /** The sum of the values, and how many they are; undefined where they are not added. */
  readonly sum: { readonly text: string | undefined; readonly numbers: bigint } | undefined;
}

/** What all facets have. */
export interface FoundCommon {
  readonly nulls: bigint;
  /** How many records the facet is of. */
  readonly total: bigint;
  /** The JSON texts of the least and the greatest value; undefined where there is none. */
  readonly min: string | undefined;
  readonly max: string | undefined;
}

export type FoundFacet = FoundCommon & (FoundValues | FoundBins);

/** Facets of one snapshot. */
export interface FacetsRead {
  /** In the order of the statement; undefined where their texts are longer than they may be. */
  readonly facets: readonly FoundFacet[] | undefined;
  /** How many records the common filter keeps; undefined where a facet is of them. */
  readonly total: bigint | undefined;
  /** The version of the data that was read; undefined where the database reports none. */
  readonly version: string | undefined;
}

/** What a statement of keys has read. The key of the last row is always there. */
export interface KeysRead extends KeyRows {
  /** The version of the data that was read; undefined where the database reports none. */
  readonly version: string | undefined;
}

/** What the database has to sort for a statement of keys, as its planner estimates. */
export interface SortEstimate {
  /** 0 where an index brings the rows in order; infinity where the planner does not say. */
  readonly rows: number;
  /** How much memory a row takes while it is sorted, in bytes. */
  readonly rowBytes: number;
  /** How much memory a sort may take before it goes on in files, in bytes. */
  readonly memoryBytes: number;
}

/**
 * One read: its deadline, and whom it is for. At the deadline, or when the caller disconnects, the
 * statement is stopped in the database.
 */
export interface ReadCall extends Deadline {
  /** Those who wait for it. Default: one caller without a name. */
  readonly callers?: Callers;
  /**
   * Statements of the same shape are expected to cost the same: see `statement-shape.ts`. Default:
   * a statement that is known to be quick.
   */
  readonly shape?: string;
}

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

/** What is known of a relation in the snapshot of a read, since its changes were followed. */
export interface RelationMoment {
  /** The version of the relation. */
  readonly version: string;
  /** How many rows meet a condition, or how many there are; undefined where that is not known. */
  total(condition?: Condition): bigint | undefined;
  /**
   * Follows from now on how many rows meet a condition. Returns whether that is possible. It is
   * known once a snapshot that is taken after this has counted them.
   */
  beginTotal(condition: Condition): boolean;
  /** Whether a count would help. */
  wantsTotal(condition?: Condition): boolean;
  /** Notes how many rows a count in the snapshot has found. Returns whether that helps. */
  learnTotal(total: bigint, condition?: Condition): boolean;
  /** The page index of an order that follows the changes; undefined where there is none. */
  index(order: FollowedOrder): MaintainedIndex | undefined;
  /** Begins such an index. Returns whether the order is one that can be followed. */
  beginIndex(order: FollowedOrder): boolean;
}

/** A snapshot in which keys are read too. */
export interface KeySnapshot extends Snapshot {
  keys(read: KeysStatement): Promise<KeyRows>;
  /** Asks the planner what reading keys would sort. */
  estimateSort(read: KeysStatement): Promise<Pick<SortEstimate, 'rows'>>;
}

/** A call of work on a followed relation. */
export interface FollowedCall extends ReadCall {
  /** Nobody waits for it, and it has a connection that callers do not use. Default: false. */
  readonly isBackground?: boolean;
}

/** What has the version of the data that was read. */
export interface Versioned {
  readonly version: string | undefined;
}

/** Reads in the one snapshot in which the moment is known. What it returns has its version. */
export type MomentWork<Read extends Versioned> = (
  snapshot: KeySnapshot,
  moment: RelationMoment,
) => Promise<Read>;

/**
 * A database. Each method rejects with a {@link QueryFailedError} when the database does not answer
 * in time or at all.
 */
export interface Source {
  readonly dialect: Dialect;
  introspect(): Promise<Relation[]>;
  /** Adds what a sample of the rows shows of columns whose types do not determine their values. */
  sample?(relations: readonly Relation[]): Promise<Relation[]>;
  /** Reads a page and its total from one snapshot. */
  readPage(query: QueryStatements, range: PageRange, call: ReadCall): Promise<PageRows>;
  /**
   * Reads pages that have one total from one snapshot, where the relation has `snapshots`.
   */
  readBatch(pages: readonly QueryPage[], call: ReadCall): Promise<PageRows[]>;
  /** Reads a page and one record more, and counts as far as it asks for; from one snapshot. */
  readBounded(page: BoundedPage, call: ReadCall): Promise<BoundedRows>;
  /** Reads the page that holds a record from one snapshot, where the relation has `snapshots`. */
  readRecord(asked: AskedRecord, call: ReadCall): Promise<RecordReading>;
  /**
   * Does work whose statements read one state of a relation, where what it returns has a version:
   * otherwise they may have read several, and it is worth nothing.
   */
  readTogether<Read extends Versioned>(
    query: QueryStatements,
    work: (snapshot: Snapshot) => Promise<Read>,
    call: ReadCall,
  ): Promise<Read>;
  /** The same in one statement, where the dialect has a `recordPage`. */
  readRecordPage?(page: RecordPageStatement, call: ReadCall): Promise<RecordRows>;
  /** Reads facets from one snapshot. */
  readFacets(facets: FacetStatements, call: ReadCall): Promise<FacetsRead>;
  count(count: Statement, call: ReadCall): Promise<bigint>;
  /** Reads the records of a page without a total. */
  readRows(read: RowsStatement, call: ReadCall): Promise<RowsRead>;
  /**
   * Reads all records of a list, in its order and from one snapshot, on a connection that pages do
   * not use, and no faster than they are taken. Once the sink was begun nothing is tried again.
   */
  readList(list: WholeListStatements, sink: ListSink, call: ListCall): Promise<void>;
  /** Reads keys from one snapshot, on a connection that callers do not use. */
  readKeys?(keys: KeysStatement, call: ReadCall): Promise<KeysRead>;
  /** Asks the planner what reading keys would sort, on that connection; it reads no rows. */
  estimateSort?(keys: KeysStatement, call: ReadCall): Promise<SortEstimate>;
  /**
   * What a version of a relation is checked under at the moment: relations of one scope have their
   * versions in common. Default: the empty text, which is the whole database.
   */
  versionScope?(relation: RelationPath): string;
  /**
   * The version of the data in a scope, read after the call. Two reads with the same version saw
   * the same data in every relation of the scope that is `versioned`. Undefined where there is none
   * at the moment.
   */
  version?(scope: string): Promise<string | undefined>;
  /**
   * The version as other processes over the same database have it. Default: the version itself.
   */
  shared?(version: string): string;
  /**
   * Whether reads bring `followedTotal` at the moment for all rows, or for those that meet a
   * condition, as the relation's changes are followed.
   */
  knowsTotal?(relation: RelationPath, condition?: Condition): boolean;
  /**
   * Does work in one snapshot of a relation whose changes are followed. Undefined, without work
   * being done, where they are not followed, or not up to the snapshot in time.
   */
  readFollowed?<Read extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Read>,
    call: FollowedCall,
  ): Promise<Read | undefined>;
  /** How positions in the log of the database are read and compared; absent where it has none. */
  readonly positions?: LogPositions;
  /**
   * Where the server is in its log, at a moment after the call.
   *
   * @throws {SettingsError} when it has none that can be followed by position
   */
  logState?(): Promise<LogState>;
  /**
   * Whether the primary, in a state of it, showed all that this replica had shown by an earlier
   * moment. Absent where servers do not say which transactions they show.
   */
  isShownByPrimary?(states: {
    readonly replica: LogState;
    readonly primary: LogState;
  }): Promise<boolean>;
  /** Whether long reads keep others from writing, as in a file without a write-ahead log. */
  readonly readsHoldUpWrites?: boolean;
  /** Whether they do at the moment. Default: they do not. */
  holdsUpWritesNow?(): boolean;
  ping(): Promise<void>;
  /** Shows the change feed; absent where the settings ask for none. */
  readonly feed?: FeedWatch | undefined;
  /**
   * What keeps the changes of relations from being followed, whether or not the settings ask for
   * it; absent where no changes can be.
   */
  followReport?(relations: readonly RelationPath[]): Promise<FollowReport>;
  /** What an operator should know, such as a role that could write. */
  warnings?(): Promise<string[]>;
  close(): Promise<void>;
}
