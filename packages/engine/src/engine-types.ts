import type { CsvOptions, ListState, ReplyPage, WireType } from '@proj/contract';

import type { BuiltCatalogue } from './catalogue/build/build.ts';
import type { ForeignKeyFinding } from './catalogue/build/build-relations.ts';
import type { CatalogueReport } from './catalogue/model-error.ts';
import type { Grant } from './catalogue/grant.ts';
import type { DeprecationSettings, ExposeSettings } from './catalogue/model-settings.ts';
import type { Catalogue, Model } from './catalogue/model.ts';
import type { ModelChange } from './catalogue/refresh.ts';
import type { Extreme } from './catalogue/relation.ts';
import type { Acceleration } from './reading/acceleration.ts';
import type { MechanismStatistics, SharedSessions } from './reading/cache-stats.ts';
import type { IndexBuilds } from './reading/unchanged/index-builder.ts';
import type { ReplyMemory } from './reply-memory.ts';
import type { CutCounts } from './sources/cut-counts.ts';
import type { DatabaseKind } from './sources/database-kind.ts';
import type { FeedWatch } from './sources/following/feed-watch.ts';
import type { FollowReport } from './sources/following/follow-report.ts';
import type { ReplicaReport, ReplicaWatch } from './sources/replica-watch.ts';
import type { AskedSession, SessionProblem } from './sources/session-problem.ts';
import type {
  ClusterSettings,
  FollowSettings,
  Pooler,
  ReplicaSettings,
} from './sources/source-settings.ts';
import type { RecordLines } from './sources/whole-list.ts';

/** What an engine is opened with. */
export interface EngineSettings extends ExposeSettings {
  /** URL of the database, such as `sqlite:/data/shop.db`. */
  readonly database: string;
  /** The kinds of databases that can be opened, each from its package. */
  readonly kinds: readonly DatabaseKind[];
  /** How long one query may run, in milliseconds, before it is stopped in the database. */
  readonly queryTimeoutMs: number;
  /**
   * How many whole lists are exported at once, over all processes; each process exports one in any
   * case. Each holds a connection and a snapshot. Default: 2.
   */
  readonly exports?: number;
  /**
   * How long one export may take until its last record is taken, in milliseconds. Default: ten
   * minutes.
   */
  readonly exportTimeoutMs?: number;
  /** How many bytes the records of one page may take as JSON; at most 2^28. Default: 64 MiB. */
  readonly maxReplyBytes?: number;
  /** What large replies under way take together. Default: it has no bound. */
  readonly replyMemory?: ReplyMemory | undefined;
  /**
   * What is between the service and a PostgreSQL server. `auto` finds out, and takes what it
   * cannot identify for a pooler; `none` is a server of its own or a pooler in session mode that
   * passes start-up parameters on; `transaction` sets everything with each transaction.
   */
  readonly pooler?: Pooler | undefined;
  /**
   * Follows the changes of a PostgreSQL server, so that totals, page indexes and replies of a table
   * stay current while other tables are written to. Replies are exact with and without it. Default:
   * changes are not followed.
   */
  readonly follow?: FollowSettings | undefined;
  /** How tables are read that are on several servers of a Citus cluster. */
  readonly cluster?: ClusterSettings | undefined;
  /**
   * Servers that apply what the database writes, for reads that may cost it much. Only queries that
   * say so are answered by them. Default: none.
   */
  readonly replicas?: ReplicaSettings | undefined;
  /**
   * Which links the chain of reading has, and how much memory they may use. Every reply is exact
   * whatever is set here.
   */
  readonly acceleration?: Partial<Acceleration>;
  /**
   * How many engines like this one share the connections, or the readers of a file, that one alone
   * would open. Default: 1.
   */
  readonly processes?: number;
  /**
   * Asks for the turn to build a page index, where engines in other processes build them too.
   * Resolves with a function that ends the turn, or with undefined while another process has it.
   * Default: a page index may always be built.
   */
  readonly takeBuildTurn?: Acceleration['takeBuildTurn'];
  /**
   * How often the version of the data is asked for while lists are watched whose changes are not
   * followed, in milliseconds. Default: 1000.
   */
  readonly watchCheckMs?: number;
  /**
   * How often a watched list is read whose data has no version, in milliseconds. Default: 10,000.
   */
  readonly watchReadMs?: number;
  /**
   * How often the schema is read again, in milliseconds, to find changes that make no query fail,
   * such as a dropped unique key or another type of a column. Default: 30,000.
   */
  readonly schemaCheckMs?: number;
}

/** One page, ready to send. */
export interface Answer {
  /** The text of the JSON array of records. */
  readonly result: string;
  readonly page: ReplyPage;
  /**
   * Opaque: equal in two answers of this service only if the data was the same. Undefined where
   * the data has no version.
   */
  readonly version: string | undefined;
  /**
   * The entity tag, 22 letters of base64url: equal in two answers only if model, attributes,
   * records and page metadata are equal. The records are hashed once for each page that is read,
   * however often the page is sent.
   */
  readonly tag: () => string;
  /** Where the time went, in milliseconds. */
  readonly milliseconds: { readonly plan: number; readonly rows: number; readonly count: number };
  /** What was read, for a record of it: names and numbers, and no values. */
  readonly facts: {
    readonly model: string;
    /** All models whose records the reply depends on, that of the request first. */
    readonly models: string[];
    readonly attributes: string[];
    readonly page: number;
    readonly size: number;
    /** How many records the page holds. */
    readonly rows: number;
  };
  /** The deprecations of the model and of the attributes that the query names. */
  readonly deprecations: readonly DeprecationSettings[];
  /** Which state of the data the answer shows; absent where replicas were not allowed to answer. */
  readonly state?: AnswerState;
  /** Whether records and total may be of different states, which the operator accepts. */
  readonly approximate: boolean;
}

/** An attribute of a whole list. */
export interface ExportedColumn {
  readonly name: string;
  readonly type: WireType;
  /** The type of an array's items; undefined where it is not known. */
  readonly items: WireType | undefined;
  /** Values beyond those of the type that it may hold. */
  readonly extremes: readonly Extreme[];
  /** How many digits its decimals have, in all and behind the point; undefined where any number. */
  readonly decimal: { readonly precision: number; readonly scale: number } | undefined;
}

/** What is known of a whole list before its first record is read. */
export interface ExportedList {
  /** How many records follow. */
  readonly total: bigint;
  /** As in an {@link Answer}: of the one state that all records are of. */
  readonly version: string | undefined;
  /** The attributes in their order, with their wire types. */
  readonly columns: readonly ExportedColumn[];
  /** An attribute that was found to hold a value which its typed column cannot hold. */
  readonly misfit?: string | undefined;
  /** How the caller wants CSV; undefined where the request does not say. */
  readonly csv: CsvOptions | undefined;
  readonly model: string;
  /** All models whose records the list depends on, that of the request first. */
  readonly models: readonly string[];
  /** The deprecations of the model and of the attributes that the request names. */
  readonly deprecations: readonly DeprecationSettings[];
  /** As in an {@link Answer}. */
  readonly approximate: boolean;
  /** Where the time went, in milliseconds. */
  readonly milliseconds: { readonly plan: number; readonly count: number };
}

/** Where a whole list goes. What it throws ends the export, which fails with that error. */
export interface ExportSink {
  /** Called once, before the first records. */
  begin(list: ExportedList): Promise<void>;
  /** Takes the next records. Nothing more is read from the database until it resolves. */
  write(lines: RecordLines): Promise<void>;
}

/** For whom a whole list is read, and where it goes. */
export interface ExportCall extends Pick<Call, 'signal' | 'caller'> {
  readonly sink: ExportSink;
  /**
   * Which attributes get a column of their type, in which some of their values may have no place.
   * Such values are looked for before the list begins. Default: none.
   */
  readonly isTyped?: ((column: ExportedColumn) => boolean) | undefined;
}

/** Who watches a list. */
export interface WatchCall extends Required<Pick<Call, 'caller'>> {
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /**
   * Whether the caller may learn of the version of the data, which also changes with records that
   * the grant hides. Without it a change is found by the total and the first records of the list.
   */
  readonly seesVersion: boolean;
}

/** A state of a list. */
export interface WatchedState {
  /** Equal in two states of a list only if the list was found to be the same. */
  readonly id: string;
  readonly list: ListState;
}

/** What watching lists costs. */
export interface WatchedLists {
  /** How many are watched now. Equal lists of equal grants are one. */
  readonly lists: number;
  /** How often their states were read because the data had changed. */
  readonly reads: number;
}

/**
 * Takes a state of a list, and says whether more are wanted. The next one is given when that is
 * known.
 */
export type TakeState = (state: WatchedState) => boolean | Promise<boolean>;

/** A list that is watched. */
export interface ListWatch {
  /** The state of the list at a moment after the call. */
  readonly first: WatchedState;
  /**
   * Gives that state or a later one, then each other state in which the list is found. One that is
   * over while an earlier one is taken is left out. Resolves when no more are wanted, or with the
   * signal.
   *
   * @throws {InvalidQueryError} when the catalogue no longer has what the list reads
   * @throws {QueryFailedError} when the list can no longer be read
   */
  follow(take: TakeState): Promise<void>;
  /** What is read, for a record of it: names, and no values. */
  readonly facts: Pick<Answer['facts'], 'model' | 'models' | 'attributes'>;
  readonly deprecations: readonly DeprecationSettings[];
}

/** Facets, ready to send. */
export interface FacetsAnswer extends Pick<
  Answer,
  'version' | 'tag' | 'milliseconds' | 'deprecations' | 'state' | 'approximate'
> {
  /** The text of the whole reply. */
  readonly json: string;
  /** What was read, for a record of it: names and numbers, and no values. */
  readonly facts: {
    readonly model: string;
    /** All models whose records the reply depends on, that of the request first. */
    readonly models: string[];
    readonly attributes: string[];
    /** How many values and bins the reply has. */
    readonly rows: number;
  };
}

/** Which state of the data an answer shows. */
export interface AnswerState {
  /**
   * The answer has everything that the primary showed so many milliseconds before the read began: 0
   * where the primary answered.
   */
  readonly ageMs: number;
  /**
   * The position of this state in the log of the database: a request that sends it back as
   * `atLeast` gets this state or a later one.
   */
  readonly position: string;
}

/** Under which condition a replica may answer. */
export interface ReplicaCall {
  /**
   * Positions in the database's log that the answer has to include, with commas between them, such
   * as that of a write of the caller. An answer also includes every state that this caller was
   * shown before, whether or not it is listed here.
   */
  readonly atLeast?: string | undefined;
}

/** Who asks, and for how long. */
export interface Call {
  /** Stops the query in the database when it aborts, such as when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Names the caller, as opaque text that no two callers share. Callers get the database's
   * connections in turn, however many queries one of them sends. Default: all queries that name no
   * caller are treated as those of one caller.
   */
  readonly caller?: string | undefined;
  /** Lets a replica answer where the query may cost much. Default: the primary answers. */
  readonly replicas?: ReplicaCall | undefined;
}

/**
 * A catalogue that is built and not served yet, so that what depends on it can be checked against
 * it first.
 */
export interface CatalogueCandidate extends BuiltCatalogue {
  /**
   * Serves this catalogue, and exposes from now on what the settings of the candidate expose. It is
   * one synchronous step: whoever also replaces the grants in this step makes sure that no query
   * runs with the new catalogue and an old grant, or the other way round.
   */
  apply(): void;
}

/** How long a key is looked at. */
export interface KeyCheck {
  /**
   * Whether it is given up after the time limit of a query on a database where it keeps others from
   * writing. Default: false.
   */
  readonly background?: boolean;
  /** In milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number;
}

/** What answers callers, over one database or over several. */
export type AnsweringEngine = Pick<
  Engine,
  | 'catalogue'
  | 'query'
  | 'export'
  | 'facets'
  | 'watch'
  | 'isKey'
  | 'onModelChange'
  | 'ping'
  | 'replicas'
>;

/** Answers queries over one database. */
export interface Engine {
  /** What is served; replaced as a whole when a candidate of {@link prepare} is applied. */
  readonly catalogue: Catalogue;
  /** What the settings ask for and the database does not give. */
  readonly reports: readonly CatalogueReport[];
  /** What was found of each foreign key of a model. */
  readonly foreignKeys: readonly ForeignKeyFinding[];
  /**
   * Answers the body of a query with one page and its exact total, both from one snapshot. When a
   * table or a column turns out to be gone, or is back, the schema is read again, without showing
   * anything new.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @param call who asks, and for how long
   * @throws {InvalidQueryError} with every error of the request
   * @throws {InvalidPositionError} when `replicas.atLeast` is no position of the database
   * @throws {QueryFailedError} when the database gives no answer; `model_unavailable` as long as it
   *   lacks what the query reads, `model_unreadable` when it has all of that and cannot read it all
   *   the same
   */
  query(body: unknown, grant: Grant, call?: Call): Promise<Answer>;
  /**
   * Answers the body of an export with all records of the list, in its order and from one snapshot,
   * no faster than the sink takes them. It resolves when the sink has taken as many records as
   * `begin` announced. In a SQLite file without a write-ahead log, where readers keep others from
   * writing, it may take no longer than a query.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @throws as {@link query} does, and what the sink throws; if the sink was begun by then, what it
   *   got is no whole list
   */
  export(body: unknown, grant: Grant, call: ExportCall): Promise<void>;
  /**
   * Answers the body of a request for facets: what the attributes of a list hold, and how often,
   * all from one snapshot. Otherwise as {@link query}.
   *
   * @throws {InvalidQueryError} with every error of the request
   * @throws {InvalidPositionError} when `replicas.atLeast` is no position of the database
   * @throws {QueryFailedError} when the database gives no answer, as {@link query}
   */
  facets(body: unknown, grant: Grant, call?: Call): Promise<FacetsAnswer>;
  /**
   * Watches the list of the body of a request for it. Watches of equal lists with equal grants
   * share what is read.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @throws {InvalidQueryError} with every error of the request
   * @throws {QueryFailedError} as {@link query}
   */
  watch(body: unknown, grant: Grant, call: WatchCall): Promise<ListWatch>;
  /** How many lists are watched, equal ones counted once, and how often they were read. */
  watched(): WatchedLists;
  /**
   * Reads the schema again and builds the catalogue of what the settings expose. Nothing that is
   * served changes until the candidate is applied.
   *
   * @throws {QueryFailedError} when the database does not answer.
   */
  prepare(settings: ExposeSettings): Promise<CatalogueCandidate>;
  /**
   * Reads whether the key of a model is unique and never NULL, which the database does not promise
   * for a key that the settings declare. It reads the whole relation.
   *
   * @throws {QueryFailedError} when the database does not answer in time.
   */
  isKey(model: Model, options?: KeyCheck): Promise<boolean>;
  /** Calls back when a refresh of the schema finds that a model was lost, is back or changed. */
  onModelChange(listener: (change: ModelChange) => void): void;
  /**
   * Lets the caches take so many bytes together from now on. Where that is another number than
   * before they begin empty.
   */
  setCacheMemory(bytes: number): void;
  /** How often each mechanism served since the models were last read. */
  statistics(): readonly MechanismStatistics[];
  /** What callers who read as roles of the database have shared since the models were last read. */
  sharedSessions(): SharedSessions;
  /** How indexes of deep pages were built since the models were last read. */
  indexBuilds(): IndexBuilds;
  /** Shows the change feed; undefined where the settings ask for none. */
  readonly feed: FeedWatch | undefined;
  /** Shows the replicas; undefined where the settings name none. */
  readonly replicas: ReplicaWatch | undefined;
  /**
   * How states of several servers were looked for; undefined where no records are on several
   * servers.
   */
  readonly cuts: CutCounts | undefined;
  /** @throws {QueryFailedError} when the database does not answer. */
  ping(): Promise<void>;
  /**
   * What keeps the changes of the models from being followed, whether or not the settings ask for
   * it; undefined for a database whose changes cannot be followed at all.
   *
   * @throws {SettingsError} when `follow` leads to a pooler or to another server
   * @throws {QueryFailedError} when the database does not answer
   */
  followReport(): Promise<FollowReport | undefined>;
  /** What is found of each replica that the settings name, once it was looked at. */
  replicaReport(): Promise<readonly ReplicaReport[]>;
  /**
   * Whether an export keeps others from writing at the moment, as with a SQLite file without a
   * write-ahead log, and therefore may take no longer than a query.
   */
  exportsHoldUpWrites(): boolean;
  /** What an operator should know of the database's side, such as a role that could write. */
  warnings(): Promise<string[]>;
  /**
   * What is wrong with a role that callers are to read as.
   *
   * @throws {QueryFailedError} when the database does not answer
   */
  sessionProblems(asked: AskedSession): Promise<SessionProblem[]>;
  close(): Promise<void>;
}
