import { performance } from 'node:perf_hooks';

import { pageMetadata, type PageMetadata, pageRange } from '@proj/paging';

import { buildCatalogue, type BuiltCatalogue, type CatalogueReport } from './catalogue/build.ts';
import type { Grant } from './catalogue/grant.ts';
import type { Catalogue, Model } from './catalogue/model.ts';
import type { DeprecationSettings, ExposeSettings } from './catalogue/model-settings.ts';
import { narrowCatalogue } from './catalogue/narrow.ts';
import { InvalidQueryError, QueryFailedError } from './errors.ts';
import type { Relation } from './catalogue/relation.ts';
import { compileKeyCheck } from './query/check-key.ts';
import { compilePage } from './query/compile.ts';
import { type Plan, planQuery } from './query/plan.ts';
import { openSource } from './sources/open-source.ts';
import type { Source } from './sources/source.ts';

/** Checking a key reads a whole relation, and an operator waits for it. */
const KEY_CHECK_TIMEOUT_MS = 10 * 60_000;

/** What an engine is opened with. */
export interface EngineSettings extends ExposeSettings {
  /** URL of the database, such as `sqlite:/data/shop.db`. */
  readonly database: string;
  /** How long one query may run, in milliseconds, before it is stopped in the database. */
  readonly queryTimeoutMs: number;
}

/** One page, ready to send. */
export interface Answer {
  /** The text of the JSON array of elements. */
  readonly result: string;
  readonly page: PageMetadata;
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

/** Answers queries over one database. */
export interface Engine {
  /** What is served; replaced as a whole by {@link reload}. */
  readonly catalogue: Catalogue;
  /** What the settings ask for and the database does not give. */
  readonly reports: readonly CatalogueReport[];
  /**
   * Answers the body of a query with one page and its exact total, both from one snapshot. When a table or a column turns out to be
   * gone, the catalogue is read again, without showing anything new.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @param signal stops the query in the database when the caller leaves
   * @throws {InvalidQueryError} with every fault of the request
   * @throws {QueryFailedError} when the database gives no answer
   */
  query(body: unknown, grant: Grant, signal?: AbortSignal): Promise<Answer>;
  /**
   * Reads the schema again and serves what the settings now expose. Until it is done, and when it fails, the old catalogue stays.
   *
   * @throws {QueryFailedError} when the database does not answer.
   */
  reload(settings: ExposeSettings): Promise<void>;
  /**
   * Reads whether the key of a model is unique and never NULL, which the database does not promise for a key that the settings declare.
   * It reads the whole relation.
   *
   * @throws {QueryFailedError} when the database does not answer in time.
   */
  isKey(model: Model): Promise<boolean>;
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
  const source = await openSource(settings.database);
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
    return await source.introspect();
  } finally {
    await source.close();
  }
}

class SourceEngine implements Engine {
  readonly #source: Source;
  readonly #queryTimeoutMs: number;
  #settings: ExposeSettings;
  #built: BuiltCatalogue;
  #refreshing: Promise<void> | undefined;

  constructor(source: Source, settings: EngineSettings, built: BuiltCatalogue) {
    this.#source = source;
    this.#queryTimeoutMs = settings.queryTimeoutMs;
    this.#settings = settings;
    this.#built = built;
  }

  get catalogue(): Catalogue {
    return this.#built.catalogue;
  }

  get reports(): readonly CatalogueReport[] {
    return this.#built.reports;
  }

  async query(body: unknown, grant: Grant, signal?: AbortSignal): Promise<Answer> {
    try {
      return await this.#answer(body, grant, signal);
    } catch (error) {
      if (!(error instanceof QueryFailedError) || error.code !== 'schema_changed') throw error;
      await this.#refresh();
      return this.#answer(body, grant, signal);
    }
  }

  async reload(settings: ExposeSettings): Promise<void> {
    this.#built = buildCatalogue(await this.#source.introspect(), settings);
    this.#settings = settings;
  }

  async isKey(model: Model): Promise<boolean> {
    const statements = compileKeyCheck(model, this.#source.dialect);
    const { total } = await this.#source.readPage(statements, { signal: undefined, timeoutMs: KEY_CHECK_TIMEOUT_MS });
    return total === 0n;
  }

  ping(): Promise<void> {
    return this.#source.ping();
  }

  async warnings(): Promise<string[]> {
    return (await this.#source.warnings?.()) ?? [];
  }

  close(): Promise<void> {
    return this.#source.close();
  }

  async #answer(body: unknown, grant: Grant, signal: AbortSignal | undefined): Promise<Answer> {
    const started = performance.now();
    const planning = planQuery(body, this.catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.faults);
    const { plan } = planning;
    const statements = compilePage(plan, this.#source.dialect);
    const planned = performance.now() - started;
    const { json, total, milliseconds } = await this.#source.readPage(statements, { signal, timeoutMs: this.#queryTimeoutMs });
    return {
      result: json,
      page: pageMetadata(plan, total),
      milliseconds: { plan: planned, ...milliseconds },
      facts: factsOf(plan, total),
      deprecations: deprecationsOf(plan),
    };
  }

  /** Reads the catalogue again, once for all queries that met the change. */
  #refresh(): Promise<void> {
    this.#refreshing ??= this.#narrow().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #narrow(): Promise<void> {
    const before = this.catalogue;
    const { catalogue, reports } = buildCatalogue(await this.#source.introspect(), this.#settings);
    this.#built = { catalogue: narrowCatalogue(catalogue, before), reports };
  }
}

function factsOf({ model, attributes, page, size }: Plan, total: bigint): Answer['facts'] {
  const rows = Number(pageRange({ page, size }, total).count);
  return { model: model.name, attributes: attributes.map(({ name }) => name), page, size, rows };
}

/** What of the plan is about to go. */
function deprecationsOf({ model, attributes }: Plan): DeprecationSettings[] {
  return [model, ...attributes].flatMap(({ deprecated }) => deprecated ?? []);
}
