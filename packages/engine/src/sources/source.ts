import type { SessionRole } from '../catalogue/database-session.ts';
import type { Relation, RelationPath } from '../catalogue/relation.ts';
import type { Condition } from '../planning/condition.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { WholeListStatements } from '../sql/query-statements.ts';
import type { StatementSession } from '../sql/statement.ts';
import type { CutCounts } from './cut-counts.ts';
import type { FeedWatch } from './following/feed-watch.ts';
import type { FollowedCall, FollowedStates, MomentWork } from './following/followed-moment.ts';
import type { FollowReport } from './following/follow-report.ts';
import type { LogPositions, LogState } from './log-position.ts';
import type { Found, Read, ReadKind } from './read.ts';
import type { ReadCall } from './read-call.ts';
import type { Versioned } from './reads/primitives.ts';
import type { SnapshotTerms } from './reads/rule.ts';
import type { Snapshot } from './reads/snapshot.ts';
import type { AskedSession, SessionProblem } from './session-problem.ts';
import type { ListCall, ListSink } from './whole-list.ts';

/** What answers reads of some kinds, each from one snapshot. */
export interface Reads<Kinds extends ReadKind> {
  /** Rejects with a {@link QueryFailedError} when the database does not answer in time. */
  read<Kind extends Kinds>(read: Read<Kind>, call: ReadCall): Promise<Found<Kind>>;
}

/**
 * A database as its package gives it. What it leaves out of the other members, the engine does in
 * its place, or does without: replies are then slower, and never wrong.
 */
export type DatabaseSource = Pick<Source, 'dialect' | 'introspect' | 'inSnapshot' | 'close'> &
  Partial<Source>;

/** A database. */
export interface Source extends Reads<ReadKind> {
  readonly dialect: Dialect;
  /** @param sessions the roles that callers read as. Default: none but that of the service */
  introspect(sessions?: readonly SessionRole[]): Promise<Relation[]>;
  /** Adds what a sample of the rows shows of columns whose types do not determine their values. */
  sample?(relations: readonly Relation[]): Promise<Relation[]>;
  /**
   * Does work of several statements. If the result has a version, they all read one state of the
   * relation; without a version they may have read several states, and the result must not be used.
   */
  inSnapshot<Seen extends Versioned>(
    terms: SnapshotTerms,
    work: (snapshot: Snapshot) => Promise<Seen>,
    call: ReadCall,
  ): Promise<Seen>;
  /**
   * Reads all records of a list, in its order and from one snapshot, on a connection that pages do
   * not use, and no faster than they are taken. Once the sink was begun nothing is tried again.
   */
  list(list: WholeListStatements, sink: ListSink, call: ListCall): Promise<void>;
  /** Absent where the database reports no versions of its data. */
  readonly versions?: DataVersionSource;
  /** Absent where no changes can be followed. */
  readonly changes?: Changes | undefined;
  /** Absent where the database has no log by which replicas are compared. */
  readonly log?: ServerLog | undefined;
  /**
   * Absent where readers never keep others from writing. They do in a SQLite file without a
   * write-ahead log.
   */
  readonly writers?: HeldUpWriters;
  /** Absent where nothing is read in one state of several servers. */
  readonly cuts?: CutCounts | undefined;
  ping(): Promise<void>;
  /** What an operator should know, such as a role that could write. */
  warnings?(): Promise<string[]>;
  /**
   * What is wrong with a role that callers are to read as. Absent where the database reads as
   * nobody but the service.
   */
  sessionProblems?(asked: AskedSession): Promise<SessionProblem[]>;
  close(): Promise<void>;
}

/** The versions of the data. */
export interface DataVersionSource {
  /**
   * The scope whose version covers these relations at the moment: a followed relation is a scope of
   * its own, those with rows on several servers share one, and all others share that of the whole
   * database, which is the empty text.
   */
  scopeOf(relations: readonly RelationPath[]): string;
  /**
   * The version of the data in a scope, read after the call. Two reads with the same version saw
   * the same data in every relation of the scope that is `versioned`. Undefined where there is none
   * at the moment.
   */
  current(scope: string): Promise<string | undefined>;
  /** The form of a version that is the same in all processes over the same database. */
  shared(version: string): string;
}

/** The changes of relations. */
export interface Changes {
  /**
   * What keeps the changes of relations from being followed, whether or not the settings ask for
   * it.
   *
   * @param shown those among them that are followed for callers who read as roles of the database
   */
  report(relations: readonly RelationPath[], shown: readonly RelationPath[]): Promise<FollowReport>;
  /** Absent where the settings ask for no feed. */
  readonly followed?: FollowedChanges | undefined;
}

/** Changes that are followed. */
export interface FollowedChanges {
  readonly feed: FeedWatch;
  /**
   * Whether the changes of a relation are followed at the moment.
   *
   * @param session as whom the relation is read, here and below. Default: as the service
   */
  follows(relation: RelationPath, session?: StatementSession): boolean;
  /**
   * Whether reads know the total at the moment, that of all rows or of those that meet a condition.
   */
  knowsTotal(relation: RelationPath, condition?: Condition, session?: StatementSession): boolean;
  /**
   * Does work in one snapshot of a relation whose changes are followed. Undefined, without work
   * being done, where they are not followed, or not up to the snapshot in time.
   */
  during<Seen extends Versioned>(
    relation: RelationPath,
    work: MomentWork<Seen>,
    call: FollowedCall,
  ): Promise<Seen | undefined>;
  /**
   * What is known of lists of a relation, those of the rows that meet a condition, or of all where
   * it is undefined. All are of one snapshot, which was taken after the call, or for another one
   * that began shortly before. Undefined where the changes are not followed up to it in time.
   */
  states(
    relation: RelationPath,
    conditions: readonly (Condition | undefined)[],
    session?: StatementSession,
  ): Promise<FollowedStates | undefined>;
}

/** The log of a server. */
export interface ServerLog {
  /** How positions are read and compared. */
  readonly positions: LogPositions;
  /**
   * Where the server is in its log, at a moment after the call.
   *
   * @throws {SettingsError} when it has none that can be followed by position
   */
  state(): Promise<LogState>;
  /**
   * Whether the primary, in one of its states, shows all that this replica showed in an earlier
   * one. Absent where servers do not report which transactions they show.
   */
  isShownByPrimary?(states: {
    readonly replica: LogState;
    readonly primary: LogState;
  }): Promise<boolean>;
}

/** A database in which a long read may keep others from writing. */
export interface HeldUpWriters {
  /** Whether a read keeps others from writing at the moment. */
  areHeldUp(): boolean;
}

export type {
  FollowedCall,
  FollowedState,
  FollowedStates,
  ListCount,
  MomentWork,
  RelationMoment,
} from './following/followed-moment.ts';
export type { FacetsRead, FoundBins, FoundFacet } from './facets/facets-read.ts';
export type { ReadCall } from './read-call.ts';
export type { KeysRead } from './reads/keys.ts';
export type { BoundedRows, PageFound, PageRows, QueryPage } from './reads/page.ts';
export type { AskedRecord, RecordRows } from './reads/record.ts';
export type { RowsRead, SortEstimate, Versioned } from './reads/primitives.ts';
export type { SnapshotTerms } from './reads/rule.ts';
export type { KeySnapshot, Snapshot } from './reads/snapshot.ts';
