import type {
  AskedColumn,
  AskedSelection,
  DescribedColumn,
  DescribedSelection,
  JsonPlaceSql,
} from '../catalogue/described-column.ts';
import type { AskedSession, SessionProblem, SessionRole } from '../catalogue/database-session.ts';
import type { Relation, RelationPath } from '../catalogue/relation.ts';
import type { Condition } from '../planning/condition.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { WholeListStatements } from '../sql/query-statements.ts';
import type { StatementSession } from '../sql/statement.ts';
import type { FeedWatch, FollowReport } from './following/feed-watch.ts';
import type { FollowedCall, FollowedStates, MomentWork } from './following/followed-moment.ts';
import type { LogPositions, LogState } from './log-position.ts';
import type { Found, Read, ReadKind } from './read.ts';
import type { ReadCall } from './read-call.ts';
import type { Versioned, Snapshot, SnapshotTerms } from './reads/snapshot.ts';
import type { ListSink } from './reads/whole-list.ts';

/** Answers some kinds of reads, each from one snapshot. */
export interface Reads<Kinds extends ReadKind> {
  /** Rejects with a {@link QueryFailedError} when the database does not answer in time. */
  read<Kind extends Kinds>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>>;
}

/** The engine replaces what it leaves out, or does without: replies are slower, never wrong. */
export type DatabaseSource = Pick<Source, 'dialect' | 'introspect' | 'inSnapshot' | 'close'> &
  Partial<Source>;

export interface Source extends Reads<ReadKind> {
  readonly dialect: Dialect;
  /** @param sessions the roles of callers. Default: only the service's */
  introspect(sessions?: readonly SessionRole[]): Promise<Relation[]>;
  /** @param roles who may read what the service may not. Absent without computed attributes */
  describe?(column: AskedColumn, roles: readonly string[]): Promise<DescribedColumn>;
  /** Absent where no place of a JSON column is read. */
  readonly jsonPlace?: JsonPlaceSql;
  /** Absent without selections of the settings. */
  describeSelection?(
    selection: AskedSelection,
    roles: readonly string[],
  ): Promise<DescribedSelection>;
  /** Samples rows of columns whose types do not determine their values. */
  sample?(relations: readonly Relation[]): Promise<Relation[]>;
  /** All statements see one state if the result has a version. Do not use it without one. */
  inSnapshot<Seen extends Versioned>(
    terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen>;
  /** Reads one snapshot at the sink's speed, up to the deadline. Retries nothing once it began. */
  list(list: WholeListStatements, sink: ListSink, call: ReadCall): Promise<void>;
  /** Absent where the database reports no versions. */
  readonly versions?: DataVersionSource;
  /** Absent where changes cannot be followed. */
  readonly changes?: Changes | undefined;
  /** Absent without a log to compare replicas by. */
  readonly log?: ServerLog | undefined;
  /** Absent where readers never block writers, as they do in SQLite without a write-ahead log. */
  readonly writers?: { areHeldUp(): boolean };
  /** Absent where no state spans several servers. */
  readonly cuts?: CutCounts | undefined;
  ping(): Promise<void>;
  /** For an operator, such as of a role that could write. */
  warnings?(): Promise<string[]>;
  /** Absent where the database reads only as the service. */
  sessionProblems?(asked: AskedSession): Promise<SessionProblem[]>;
  close(): Promise<void>;
}

export interface DataVersionSource {
  /** A followed relation has its own scope, rows on several servers share one. Default: ''. */
  scopeOf?(relations: readonly RelationPath[]): string;
  /** Read after the call. Equal versions: equal data in every `versioned` relation of the scope. */
  current(scope: string): Promise<string | undefined>;
  /** The form that is the same in all processes over the database. Default: as it is. */
  shared?(version: string): string;
}

export interface Changes {
  /** @param shown the relations followed for callers who read as database roles */
  report(relations: readonly RelationPath[], shown: readonly RelationPath[]): Promise<FollowReport>;
  /** Absent where the settings ask for no feed. */
  readonly followed?: FollowedChanges | undefined;
}

export interface FollowedChanges {
  readonly feed: FeedWatch;
  /** @param session as whom the relation is read, here and below. Default: the service */
  follows(relation: RelationPath, session?: StatementSession): boolean;
  /** Whether the total of all rows, or of a condition's, is known. */
  knowsTotal(relation: RelationPath, condition?: Condition, session?: StatementSession): boolean;
  /** Undefined, with no work done, where changes are not followed to the snapshot in time. */
  during<Seen extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Seen>,
    call: FollowedCall,
  ): Promise<Seen | undefined>;
  /** By condition, in one snapshot. Undefined where changes are not followed up to it in time. */
  states(
    relation: RelationPath,
    conditions: readonly (Condition | undefined)[],
    session?: StatementSession,
  ): Promise<FollowedStates | undefined>;
}

export interface ServerLog {
  readonly positions: LogPositions;
  /** @throws {SettingsError} when there is no log to follow by position */
  state(): Promise<LogState>;
  /** Whether the primary shows all the replica did. Absent if transactions are not reported. */
  isShownByPrimary?(states: {
    readonly replica: LogState;
    readonly primary: LogState;
  }): Promise<boolean>;
}

export type {
  CountOutcome,
  FollowedCall,
  FollowedState,
  FollowedStates,
  MomentWork,
  RelationMoment,
} from './following/followed-moment.ts';
export type { FacetsRead, FoundBins, FoundFacet } from './facets/read-facets.ts';
export type { ReadCall } from './read-call.ts';
export type { KeysRead } from './read.ts';
export type { BoundedRows, PageFound, PageRows, QueryPage } from './reads/page.ts';
export type { AskedRecord, RecordRows } from './reads/record.ts';
export type { RowsRead, SortEstimate, Versioned } from './reads/snapshot.ts';
export type { KeySnapshot, Snapshot, SnapshotTerms } from './reads/snapshot.ts';

export interface CutCounts {
  readonly validated: CutCount;
  readonly locked: CutCount;
}

/** How often such a state was looked for, and how often none was found. */
export interface CutCount {
  readonly found: number;
  readonly missed: number;
}
