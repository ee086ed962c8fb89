import { performance } from 'node:perf_hooks';

import { pageMetadata, type PageMetadata } from '@proj/paging';

import { buildCatalogue, type BuiltCatalogue, type CatalogueReport } from './catalogue/build.ts';
import type { Grant } from './catalogue/grant.ts';
import type { Catalogue, Model } from './catalogue/model.ts';
import type { DeprecationSettings, ExposeSettings } from './catalogue/model-settings.ts';
import { type ModelChange, modelChanges, refreshCatalogue } from './catalogue/refresh.ts';
import { waitOrAbort, waitOrStop, withDeadline } from './deadline.ts';
import { QueryFailedError, type QueryFailure } from './errors.ts';
import type { Relation } from './catalogue/relation.ts';
import { compileKeyCheck } from './sql/key-check.ts';
import { CacheStore } from './cache-store.ts';
import { DataVersion } from './reading/data-version.ts';
import {
  type Acceleration,
  ACCELERATION,
  type MechanismStatistics,
} from './reading/acceleration.ts';
import { Pages } from './reading/pages.ts';
import { type PreparedPage, QueryPreparer } from './query-preparer.ts';
import { PublishedVersion } from './reading/published-version.ts';
import { MAX_REPLY_BYTES, replyTooLarge } from './reply-limit.ts';
import { Callers } from './sources/callers.ts';
import { SchemaWatch } from './schema-watch.ts';
import { openSource } from './sources/open-source.ts';
import type { Pooler } from './sources/source-settings.ts';
import type { ReadCall, Source } from './sources/source.ts';

/** Checking a key reads a whole relation, and an operator waits for it. */
const KEY_CHECK_TIMEOUT_MS = 10 * 60_000;

/** What an engine is opened with. */
export interface EngineSettings extends ExposeSettings {
  /** URL of the database, such as `sqlite:/data/shop.db`. */
  readonly database: string;
  /** How long one query may run, in milliseconds, before it is stopped in the database. */
  readonly queryTimeoutMs: number;
  /** How many bytes the records of one page may take as JSON; at most 2^28. Default: 64 MiB. */
  readonly maxReplyBytes?: number;
  /**
   * What is between the service and a PostgreSQL server. `auto` finds out, and takes what it cannot
   * tell for a pooler; `none` is a server of its own or a pooler in session mode that passes
   * start-up parameters on; `transaction` sets everything with each transaction.
   */
  readonly pooler?: Pooler | undefined;
  /**
   * Which ways to a page may be taken, and how much memory they may use. Every reply is exact
   * whatever is said here.
   */
  readonly acceleration?: Partial<Acceleration>;
  /**
   * How long a change of the schema of which no query tells may go unnoticed, such as a dropped
   * unique key or another type of a column, in milliseconds. Default: 30,000.
   */
  readonly schemaCheckMs?: number;
}

const SCHEMA_CHECK_MS = 30_000;

/** One page, ready to send. */
export interface Answer {
  /** The text of the JSON array of elements. */
  readonly result: string;
  readonly page: PageMetadata;
  /**
   * Opaque: equal in two answers of this service only if the data was the same. Undefined where
   * that cannot be told.
   */
  readonly version: string | undefined;
  /** Where the time went, in milliseconds. */
  readonly milliseconds: { readonly plan: number; readonly rows: number; readonly count: number };
  /** What was read, for a record of it: names and numbers, and no values. */
  readonly facts: {
    readonly model: string;
    readonly attributes: string[];
    readonly page: number;
    readonly size: number;
    /** How many elements the page holds. */
    readonly rows: number;
  };
  /** What of the query is deprecated: its model, its attributes. */
  readonly deprecations: readonly DeprecationSettings[];
}

/** Who asks, and for how long. */
export interface Call {
  /** Stops the query in the database when it aborts, such as when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whom the query is for, as opaque text that no two callers share. Callers get the database's
   * connections in turn, however many queries one of them sends. Default: queries without a caller
   * are all of the same one.
   */
  readonly caller?: string | undefined;
}

/**
 * A catalogue that is built and not served yet, so that what depends on it can be checked against
 * it first.
 */
export interface CatalogueCandidate extends BuiltCatalogue {
  /**
   * Serves this catalogue, and exposes from now on what the settings of the candidate expose. It is
   * one synchronous step: grants that were made for this catalogue can be swapped in the same step,
   * so that no query meets the one without the other.
   */
  apply(): void;
}

/** Answers queries over one database. */
export interface Engine {
  /** What is served; replaced as a whole when a candidate of {@link prepare} is applied. */
  readonly catalogue: Catalogue;
  /** What the settings ask for and the database does not give. */
  readonly reports: readonly CatalogueReport[];
  /**
   * Answers the body of a query with one page and its exact total, both from one snapshot. When a
   * table or a column turns out to be gone, or is back, the schema is read again, without showing
   * anything new.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @param call who asks, and for how long
   * @throws {InvalidQueryError} with every fault of the request
   * @throws {QueryFailedError} when the database gives no answer; `model_unavailable` as long as it
   *   lacks what the query reads, `model_unreadable` when it has all of that and cannot read it all
   *   the same
   */
  query(body: unknown, grant: Grant, call?: Call): Promise<Answer>;
  /**
   * Reads the schema again and builds the catalogue of what the settings expose. Nothing that is
   * served changes until the candidate is applied.
   *
   * @throws {QueryFailedError} when the database does not answer.
   */
  prepare(settings: ExposeSettings): Promise<CatalogueCandidate>;
  /**
   * Reads whether the key of a model is unique and never NULL, which the database does not promise
   * for a key that the settings declare. It reads the whole relation, for ten minutes at most. In
   * the background it takes no longer than a query may where others cannot write meanwhile.
   *
   * @throws {QueryFailedError} when the database does not answer in time.
   */
  isKey(model: Model, options?: { readonly background?: boolean }): Promise<boolean>;
  /** Calls back when a refresh of the schema finds that a model was lost, is back or changed. */
  onModelChange(listener: (change: ModelChange) => void): void;
  /** How often each way to a page served since the models were last read. */
  statistics(): readonly MechanismStatistics[];
  /** @throws {QueryFailedError} when the database does not answer. */
  ping(): Promise<void>;
  /** What an operator should know of the database's side, such as a role that could write. */
  warnings(): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Opens the database and builds the catalogue of what the settings expose.
 *
 * @throws {SettingsError} when the database URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function openEngine(settings: EngineSettings): Promise<Engine> {
  const source = await openSource(settings.database, settings);
  try {
    return new SourceEngine(source, settings, buildCatalogue(await source.introspect(), settings));
  } catch (error) {
    await source.close();
    throw error;
  }
}

/**
 * What a database holds, for a settings file to be written from.
 *
 * @throws {SettingsError} when the URL is no good
 * @throws {QueryFailedError} when the database does not answer
 */
export async function readRelations(database: string): Promise<Relation[]> {
  const source = await openSource(database);
  try {
    const relations = await source.introspect();
    return (await source.sample?.(relations)) ?? relations;
  } finally {
    await source.close();
  }
}

/** What a catalogue is built from, and which of the applied ones it is, or was narrowed from. */
interface Exposure {
  readonly settings: ExposeSettings;
  readonly generation: number;
}

/** A catalogue, and what answers queries over it. */
interface Serving extends BuiltCatalogue, Exposure {
  readonly preparer: QueryPreparer;
  readonly pages: Pages;
}

class SourceEngine implements Engine {
  readonly #source: Source;
  readonly #version: DataVersion;
  readonly #published: PublishedVersion;
  readonly #queryTimeoutMs: number;
  readonly #acceleration: Acceleration;
  readonly #maxReplyBytes: number;
  #serving: Serving;
  readonly #schema: SchemaWatch;
  readonly #listeners: ((change: ModelChange) => void)[] = [];

  constructor(source: Source, settings: EngineSettings, built: BuiltCatalogue) {
    this.#source = source;
    this.#version = new DataVersion(async () => source.version?.());
    this.#published = new PublishedVersion(source);
    this.#queryTimeoutMs = settings.queryTimeoutMs;
    this.#acceleration = { ...ACCELERATION, ...settings.acceleration };
    this.#maxReplyBytes = settings.maxReplyBytes ?? MAX_REPLY_BYTES;
    this.#serving = this.#serve(built, { settings, generation: 0 });
    this.#schema = new SchemaWatch(() => this.#refresh(), {
      checkMs: settings.schemaCheckMs ?? SCHEMA_CHECK_MS,
    });
  }

  get catalogue(): Catalogue {
    return this.#serving.catalogue;
  }

  get reports(): readonly CatalogueReport[] {
    return this.#serving.reports;
  }

  statistics(): readonly MechanismStatistics[] {
    return this.#serving.pages.statistics;
  }

  async query(body: unknown, grant: Grant, { signal, caller }: Call = {}): Promise<Answer> {
    const callers = new Callers(caller);
    return withDeadline({ signal, timeoutMs: this.#queryTimeoutMs }, (deadline) =>
      waitOrStop(this.#query(body, grant, { ...deadline, callers }), deadline.signal),
    );
  }

  async #query(body: unknown, grant: Grant, call: ReadCall): Promise<Answer> {
    const { generation } = this.#serving;
    for (let refreshes = 0; ; refreshes++) {
      try {
        return await this.#answer(body, grant, call);
      } catch (error) {
        if (refreshes >= mostRefreshes(error)) throw finalFailure(error);
        await waitOrAbort(this.#schema.refresh(), call.signal);
        // A grant holds for the catalogue that it was made for, and not for one that was applied
        // meanwhile.
        if (this.#serving.generation !== generation) throw error;
      }
    }
  }

  async prepare(settings: ExposeSettings): Promise<CatalogueCandidate> {
    const built = buildCatalogue(await this.#source.introspect(), settings);
    return {
      ...built,
      apply: () => this.#replace(built, { settings, generation: this.#serving.generation + 1 }),
    };
  }

  async isKey(
    model: Model,
    { background = false }: { readonly background?: boolean } = {},
  ): Promise<boolean> {
    const faults = compileKeyCheck(model, this.#source.dialect);
    const yields = background && this.#source.readsHoldUpWrites === true;
    const timeoutMs = yields ? this.#queryTimeoutMs : KEY_CHECK_TIMEOUT_MS;
    return withDeadline(
      { timeoutMs },
      async (call) => (await this.#source.count(faults, call)) === 0n,
    );
  }

  ping(): Promise<void> {
    return this.#source.ping();
  }

  async warnings(): Promise<string[]> {
    return (await this.#source.warnings?.()) ?? [];
  }

  onModelChange(listener: (change: ModelChange) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#schema.close();
    await this.#serving.pages.close();
    await this.#source.close();
  }

  async #answer(body: unknown, grant: Grant, call: ReadCall): Promise<Answer> {
    const started = performance.now();
    const { preparer, pages } = this.#serving;
    const planned = preparer.plan(body, grant);
    const plan = performance.now() - started;
    const { query, page, range } = planned;
    const read = await pages.read({ query, range, call });
    if (read.json === undefined) throw replyTooLarge(this.#maxReplyBytes);
    return {
      result: read.json,
      page: pageMetadata(page, read.total),
      version: query.plan.model.versioned ? this.#published.of(read.version) : undefined,
      milliseconds: { plan, ...read.milliseconds },
      facts: factsOf(planned, read.rows),
      deprecations: deprecationsOf(planned),
    };
  }

  #serve(built: BuiltCatalogue, exposure: Exposure): Serving {
    const settings = this.#acceleration;
    const store = new CacheStore(settings.memoryBytes);
    const options = { ...settings, maxReplyBytes: this.#maxReplyBytes };
    const preparer = new QueryPreparer({
      catalogue: built.catalogue,
      dialect: this.#source.dialect,
      options,
      store,
    });
    const pages = new Pages({ source: this.#source, version: this.#version, settings, store });
    return { ...built, ...exposure, preparer, pages };
  }

  /** What was kept for the old catalogue may not fit the new one. */
  #replace(built: BuiltCatalogue, exposure: Exposure): void {
    void this.#serving.pages.close();
    this.#serving = this.#serve(built, exposure);
  }

  /**
   * What is kept of the models that are served stays valid where the schema turns out to be the
   * same.
   */
  async #refresh(): Promise<void> {
    const before = this.#serving;
    const { settings, generation } = before;
    const found = buildCatalogue(await this.#source.introspect(), settings);
    // What was applied meanwhile stays: this one was read for other settings.
    if (this.#serving !== before) return;
    const catalogue = refreshCatalogue(before.catalogue, found);
    const changes = modelChanges(before.catalogue, catalogue);
    if (changes.length === 0) return;
    this.#replace({ catalogue, reports: found.reports }, { settings, generation });
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}

/**
 * How often the schema is read again for one query: it may be back; it is gone, or comes and goes.
 */
const MOST_REFRESHES: Partial<Record<QueryFailure, number>> = {
  model_unavailable: 1,
  schema_changed: 2,
};

function mostRefreshes(error: unknown): number {
  return error instanceof QueryFailedError ? (MOST_REFRESHES[error.code] ?? 0) : 0;
}

/**
 * When all that a query names is there and the database misses something all the same, the
 * definition of the relation fails.
 */
function finalFailure(error: unknown): unknown {
  if (!(error instanceof QueryFailedError) || error.code !== 'schema_changed') return error;
  return new QueryFailedError('model_unreadable', error.message, { cause: error });
}

function factsOf({ query: { plan }, page }: PreparedPage, rows: number): Answer['facts'] {
  return {
    model: plan.model.name,
    attributes: plan.attributes.map(({ name }) => name),
    ...page,
    rows,
  };
}

/** What of the query is deprecated: its model, its attributes. */
function deprecationsOf({ query: { plan } }: PreparedPage): DeprecationSettings[] {
  return [plan.model, ...plan.attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
