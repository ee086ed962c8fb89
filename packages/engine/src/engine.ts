import { performance } from 'node:perf_hooks';

import { pageMetadata, type PageMetadata } from '@proj/paging';

import { buildCatalogue, type CatalogueReport, type ExposeSettings } from './catalogue/build.ts';
import type { Grant } from './catalogue/grant.ts';
import type { Catalogue } from './catalogue/model.ts';
import { InvalidQueryError } from './errors.ts';
import { compilePage } from './query/compile.ts';
import { planQuery } from './query/plan.ts';
import { openSource } from './sources/open-source.ts';
import type { Source } from './sources/source.ts';

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
}

/** Answers queries over one database. */
export interface Engine {
  readonly catalogue: Catalogue;
  /** What was left out of the catalogue, and why. */
  readonly reports: readonly CatalogueReport[];
  /**
   * Answers the body of a query with one page and its exact total, both from one snapshot.
   *
   * @param body the request as parsed JSON, unchecked
   * @param grant what the caller may see
   * @param signal stops the query in the database when the caller leaves
   * @throws {InvalidQueryError} with every fault of the request
   * @throws {QueryFailedError} when the database gives no answer
   */
  query(body: unknown, grant: Grant, signal?: AbortSignal): Promise<Answer>;
  /** @throws {QueryFailedError} when the database does not answer. */
  ping(): Promise<void>;
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
    const { catalogue, reports } = buildCatalogue(await source.introspect(), settings);
    return {
      catalogue,
      reports,
      query: (body, grant, signal) => answer({ body, grant, signal }, { source, catalogue, settings }),
      ping: () => source.ping(),
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

interface Question {
  readonly body: unknown;
  readonly grant: Grant;
  readonly signal: AbortSignal | undefined;
}

interface Parts {
  readonly source: Source;
  readonly catalogue: Catalogue;
  readonly settings: EngineSettings;
}

async function answer({ body, grant, signal }: Question, { source, catalogue, settings }: Parts): Promise<Answer> {
  const started = performance.now();
  const planning = planQuery(body, catalogue, grant);
  if (!planning.ok) throw new InvalidQueryError(planning.faults);
  const { plan } = planning;
  const statements = compilePage(plan, source.dialect);
  const planned = performance.now() - started;
  const { json, total, milliseconds } = await source.readPage(statements, { signal, timeoutMs: settings.queryTimeoutMs });
  return { result: json, page: pageMetadata(plan, total), milliseconds: { plan: planned, ...milliseconds } };
}
