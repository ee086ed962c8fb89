import type { CsvOptions, ListState, ReplyPage, WireType } from '@proj/contract';

import type { BuiltCatalogue } from './catalogue/build/build.ts';
import type { ForeignKeyFinding } from './catalogue/build/build-relations.ts';
import type {
  CatalogueReport,
  DeprecationSettings,
  ExposeSettings,
} from './catalogue/model-settings.ts';
import type { Grant } from './catalogue/grant.ts';
import type { Catalogue, Model } from './catalogue/model.ts';
import type { ModelChange } from './catalogue/refresh.ts';
import type { Extreme } from './catalogue/relation.ts';
import type { MechanismStatistics, SharedSessions } from './reading/cache-stats.ts';
import type { IndexBuilds } from './reading/unchanged/index-builder.ts';
import type { CutCounts } from './sources/source.ts';
import type { FeedWatch, FollowReport } from './sources/following/feed-watch.ts';
import type { ReplicaReport, ReplicaWatch } from './sources/replica-watch.ts';
import type { AskedSession, SessionProblem } from './catalogue/database-session.ts';
import type { RecordLines } from './sources/reads/whole-list.ts';

export interface Answer {
  readonly result: string;
  readonly page: ReplyPage;
  /** Opaque: equal only for equal data of this service. Undefined for data without versions. */
  readonly version: string | undefined;
  /** 22 letters of base64url: equal only for equal model, attributes, records and page metadata. */
  readonly tag: () => string;
  readonly milliseconds: { readonly plan: number; readonly rows: number; readonly count: number };
  /** For a record of it: names and numbers, no values. */
  readonly facts: {
    readonly model: string;
    /** Models the reply depends on, the request's first. */
    readonly models: string[];
    readonly attributes: string[];
    readonly page: number;
    readonly size: number;
    readonly rows: number;
  };
  /** Of the model and the attributes named. */
  readonly deprecations: readonly DeprecationSettings[];
  /** Absent where replicas were not allowed. */
  readonly state?: AnswerState;
  /** Whether records and total may be of different states, as the operator accepts. */
  readonly approximate: boolean;
}

export interface ExportedColumn {
  readonly name: string;
  readonly type: WireType;
  readonly items: WireType | undefined;
  readonly extremes: readonly Extreme[];
  /** All digits, and those behind the point; undefined for any number. */
  readonly decimal: { readonly precision: number; readonly scale: number } | undefined;
}

/** All records are of one state. */
export interface ExportedList extends Pick<Answer, 'version' | 'deprecations' | 'approximate'> {
  readonly total: bigint;
  readonly columns: readonly ExportedColumn[];
  /** An attribute with a value that its typed column cannot hold. */
  readonly misfit?: string | undefined;
  /** Undefined where the request does not say. */
  readonly csv: CsvOptions | undefined;
  readonly model: string;
  readonly models: readonly string[];
  readonly milliseconds: { readonly plan: number; readonly count: number };
}

/** What it throws ends the export with that error. */
export interface ExportSink {
  begin(list: ExportedList): Promise<void>;
  /** Nothing more is read from the database until it resolves. */
  write(lines: RecordLines): Promise<void>;
}

export interface ExportCall extends Pick<Call, 'signal' | 'caller'> {
  readonly sink: ExportSink;
  /** Attributes with typed columns; values that do not fit are looked for first. Default: none. */
  readonly isTyped?: ((column: ExportedColumn) => boolean) | undefined;
}

export interface WatchCall extends Required<Pick<Call, 'caller'>> {
  readonly signal: AbortSignal;
  /** Whether the caller may learn of data versions, which hidden records change too. */
  readonly seesVersion: boolean;
}

export interface WatchedState {
  /** Equal only if the list was found to be the same. */
  readonly id: string;
  readonly list: ListState;
}

export interface WatchedLists {
  /** Equal lists of equal grants are one. */
  readonly lists: number;
  readonly reads: number;
}

/** Resolves with whether more states are wanted, before it gets the next. */
export type TakeState = (state: WatchedState) => boolean | Promise<boolean>;

export interface ListWatch {
  /** The state after the call. */
  readonly first: WatchedState;
  /**
   * Gives that state or a later one, then each other one; states that pass while one is taken are
   * left out. Resolves when no more are wanted, or with the signal.
   *
   * @throws {InvalidQueryError} when the catalogue no longer has what the list reads
   * @throws {QueryFailedError} when the list can no longer be read
   */
  follow(take: TakeState): Promise<void>;
  readonly facts: Pick<Answer['facts'], 'model' | 'models' | 'attributes'>;
  readonly deprecations: readonly DeprecationSettings[];
}

export interface FacetsAnswer extends Omit<Answer, 'result' | 'page' | 'facts'> {
  readonly json: string;
  readonly facts: Pick<Answer['facts'], 'model' | 'models' | 'attributes' | 'rows'>;
}

export interface AnswerState {
  /** The answer has all that the primary showed so long before the read; 0 from the primary. */
  readonly ageMs: number;
  /** Sent back as `atLeast`, this position gets its state or a later one. */
  readonly position: string;
}

export interface ReplicaCall {
  /** Log positions to include, separated by commas. States shown to this caller always are. */
  readonly atLeast?: string | undefined;
}

/** Belongs to one body that nobody changes; for the engine alone. */
export interface BodyNotes {
  asked?: unknown;
}

export interface Call {
  /** Kept with a body that comes again. Default: it is looked at anew. */
  readonly notes?: BodyNotes | undefined;
  /** Stops the query in the database, such as when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** Opaque and unique: callers take turns for connections. Default: one shared caller. */
  readonly caller?: string | undefined;
  /** Lets a replica answer costly queries. Default: the primary answers. */
  readonly replicas?: ReplicaCall | undefined;
}

/** Built, not served yet, so that what depends on it can be checked. */
export interface CatalogueCandidate extends BuiltCatalogue {
  /** Serves it synchronously: replace grants in the same step, so queries never mix both. */
  apply(): void;
}

export interface KeyCheck {
  /** Limits it to a query's time where it blocks writers. Default: false. */
  readonly background?: boolean;
  /** In milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number;
}

/** What asks the database throws a {@link QueryFailedError} where that does not answer. */
export interface AnsweringEngine {
  /** Replaced as a whole when a candidate of {@link Engine.prepare} is applied. */
  readonly catalogue: Catalogue;
  /**
   * Answers a query's body with one page and its exact total from one snapshot. Reads the schema
   * again when parts are gone or back, without showing anything new.
   *
   * @param body the request as parsed JSON, unchecked
   * @throws {InvalidQueryError} with every error of the request
   * @throws {InvalidPositionError} when `replicas.atLeast` is no position of the database
   * @throws {QueryFailedError} when the database gives no answer; `model_unavailable` while it
   *   lacks what the query reads, `model_unreadable` when it has that and cannot read it
   */
  query(body: unknown, grant: Grant, call?: Call): Promise<Answer>;
  /**
   * Answers an export's body with a whole list from one snapshot, no faster than the sink takes it.
   * Resolves once the sink has all records. Takes no longer than a query where readers block
   * writers: in a SQLite file without a write-ahead log.
   *
   * @throws as {@link query}, or what the sink throws; a sink that was begun has no whole list then
   */
  export(body: unknown, grant: Grant, call: ExportCall): Promise<void>;
  /** What a list's attributes hold, and how often, from one snapshot. */
  facets(body: unknown, grant: Grant, call?: Call): Promise<FacetsAnswer>;
  /** Equal lists with equal grants share what is read. */
  watch(body: unknown, grant: Grant, call: WatchCall): Promise<ListWatch>;
  /** Whether a declared key holds. Reads the whole relation. */
  isKey(model: Model, options?: KeyCheck): Promise<boolean>;
  /** Calls back when a refresh finds a model lost, back or changed. */
  onModelChange(listener: (change: ModelChange) => void): void;
  readonly replicas: ReplicaWatch | undefined;
  ping(): Promise<void>;
}

export interface Engine extends AnsweringEngine {
  readonly reports: readonly CatalogueReport[];
  readonly foreignKeys: readonly ForeignKeyFinding[];
  watched(): WatchedLists;
  /** Builds a catalogue from a new reading of the schema, which is served only when applied. */
  prepare(settings: ExposeSettings): Promise<CatalogueCandidate>;
  /** Sets the caches' bytes together; a change empties them. */
  setCacheMemory(bytes: number): void;
  statistics(): readonly MechanismStatistics[];
  sharedSessions(): SharedSessions;
  indexBuilds(): IndexBuilds;
  /** Undefined where the settings ask for no feed. */
  readonly feed: FeedWatch | undefined;
  /** Undefined where no records are on several servers. */
  readonly cuts: CutCounts | undefined;
  /**
   * What keeps changes from being followed, asked for or not; undefined if the database cannot.
   *
   * @throws {SettingsError} when `follow` leads to a pooler or to another server
   */
  followReport(): Promise<FollowReport | undefined>;
  /** Each replica of the settings, once it was looked at. */
  replicaReport(): Promise<readonly ReplicaReport[]>;
  /** As in SQLite without a write-ahead log; exports then have a query's time. */
  exportsHoldUpWrites(): boolean;
  /** For an operator, such as of a role that could write. */
  warnings(): Promise<string[]>;
  sessionProblems(asked: AskedSession): Promise<SessionProblem[]>;
  close(): Promise<void>;
}
