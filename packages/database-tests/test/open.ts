import type { ReplyPage } from '@proj/contract';
import { type Engine, type EngineSettings, EVERYTHING, type Grant, openEngine } from '@proj/engine';
import type { PageMetadata } from '@proj/paging';
import { afterFile } from '@proj/test-servers';

import { DATABASE_KINDS } from './kinds.ts';

/** The readers of a file are processes, which take their time to start: most tests need but one. */
const ONE_READER = { processes: 8 };

/** An engine that shows every relation, closed when the tests of the file are done. */
export async function open(
  database: string,
  settings: Partial<EngineSettings> = {},
): Promise<Engine> {
  const engine = await openEngine({
    database,
    kinds: DATABASE_KINDS,
    // Longer than a test may take: those of the limit set one of their own.
    queryTimeoutMs: 60_000,
    expose: 'all',
    models: {},
    maxPageSize: 1000,
    ...(database.startsWith('sqlite:') && ONE_READER),
    ...settings,
  });
  afterFile(async () => engine.close());
  return engine;
}

/** What one asks an engine for. */
export interface Question {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly page?: number;
  readonly size?: number;
  /** The attributes to sort by, each upwards. */
  readonly sort?: readonly string[];
  readonly filter?: unknown;
}

/** The body of a query. */
export function bodyOf({ model, attributes, page = 1, size = 10, sort, filter }: Question): object {
  const query_sort = sort?.map((attribute) => ({ attribute, direction: 'asc' }));
  return {
    query_model: model,
    query_attributes: attributes,
    page: { page, size },
    ...(query_sort && { query_sort }),
    ...(filter !== undefined && { query_filter: filter }),
  };
}

/** A page as a caller reads it, with the text that travelled. */
export interface Reply {
  readonly text: string;
  readonly records: Record<string, unknown>[];
  /** Its total is exact. */
  readonly page: PageMetadata;
}

/** Asks one question. */
export async function ask(
  engine: Engine,
  question: Question,
  grant: Grant = EVERYTHING,
): Promise<Reply> {
  const { result, page } = await engine.query(bodyOf(question), grant);
  const records = JSON.parse(result) as Record<string, unknown>[];
  return { text: result, records, page: exactPage(page) };
}

/** How many requests a mechanism has served. */
export function hitsOf(engine: Engine, name: string): number {
  return engine.statistics().find(({ mechanism }) => mechanism === name)?.hits ?? 0;
}

/** The metadata of a page whose total was asked for. */
export function exactPage({ total, ...page }: ReplyPage): PageMetadata {
  if (total === null) throw new Error('The reply has no total.');
  return { ...page, total };
}
