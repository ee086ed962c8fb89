import type { CsvOptions, ExportRequest } from '@proj/contract';
import { pageOffset } from '@proj/paging';

import type { Cache, CacheStore } from '../../cache-store.ts';
import type { Grant } from '../../catalogue/grant.ts';
import type { Catalogue, Missing, Model } from '../../catalogue/model.ts';
import { InvalidQueryError, QueryFailedError } from '../../errors.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import { missingPart } from '../../planning/missing-part.ts';
import { planRecord } from '../../planning/plan-record.ts';
import { type PagePlace, type Plan, planExport, planQuery } from '../../planning/plan.ts';
import type { CompileOptions } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import { PreparedQuery } from './prepared-query.ts';
import { keysOf } from './query-keys.ts';
import type { PageRange } from '../query-statements.ts';
import { type PageNumber, type SplitRequest, splitRequest } from './split-request.ts';

/** A request that was understood: a prepared query, and which page of it. */
export interface PreparedPage {
  readonly query: PreparedQuery;
  readonly size: number;
  readonly place: PagePlace;
  /** As far as the caller wants the total: to so many records, to none, or, if undefined, all. */
  readonly countLimit: number | undefined;
}

/** An export that was understood: a prepared query, and how CSV is wanted. */
export interface PreparedExport {
  readonly query: PreparedQuery;
  readonly csv: CsvOptions | undefined;
}

/** What statements are compiled for. */
export interface PreparerParts {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly options: CompileOptions;
  /** Where recent queries are kept, with their statements. */
  readonly store: CacheStore;
}

/** What a request was found to ask, whatever its page. */
interface KnownRequest extends Pick<PreparedPage, 'query' | 'countLimit'> {
  /** The model as the caller sees it; other callers of the same query may see another part. */
  readonly visible: Model;
}

/** A request that is longer is planned anew each time. */
export const LONGEST_KEPT_REQUEST = 8192;

/** What takes a larger part of the store is made anew each time. */
export const LARGEST_PART = 1 / 16;

/** No table holds 2^63 rows, and no database binds a larger offset. */
const LARGEST_OFFSET = 2n ** 63n - 1n;

/**
 * Prepares requests, and is the one cache of them. Requests that differ in their page alone are
 * checked, planned and compiled once, and so are those of callers whose grants are equal: a request
 * is known by the key of the grant and its text, so that no grant meets the records of another.
 */
export class QueryPreparer {
  readonly #parts: PreparerParts;
  readonly #requests: Cache<KnownRequest>;
  readonly #queries: Cache<PreparedQuery>;

  constructor(parts: PreparerParts) {
    this.#parts = parts;
    const { store } = parts;
    const largestPart = LARGEST_PART;
    this.#requests = store.cache('request ', { sizeOf: ({ query }) => query.bytes, largestPart });
    this.#queries = store.cache('query ', { sizeOf: ({ bytes }) => bytes, largestPart });
  }

  /**
   * @param body the request as JSON.parse returns it, unchecked
   * @throws {InvalidQueryError} with every error of the request
   * @throws {QueryFailedError} `model_unavailable` when a part of the model that the request needs
   *   was missing when the schema was last read
   */
  prepare(body: unknown, grant: Grant): PreparedPage {
    const request = splitRequest(body);
    if (request === undefined) return this.#plan(body, grant);
    const { page, rest } = request;
    const known = this.#requests.get(grant.key + rest);
    const place = known && placeIn(known, page);
    if (known !== undefined && place !== undefined)
      return { query: known.query, size: page.size, place, countLimit: known.countLimit };
    return this.#plan(body, grant, rest);
  }

  /** As {@link prepare}, for the whole list. */
  prepareExport(body: unknown, grant: Grant): PreparedExport {
    const planning = planExport(body, this.#parts.catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan, csv } = planning;
    refuseMissing(plan, missingPart(plan));
    return { query: this.#query(plan), csv: csv && csvOptionsOf(csv) };
  }

  /** @param rest the text of the request without its page; undefined where it is not kept */
  #plan(body: unknown, grant: Grant, rest?: string): PreparedPage {
    const planning = planQuery(body, this.#parts.catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan, place, size, countLimit, visible } = planning;
    refuseMissing(plan, missingPart(plan));
    const known = { query: this.#query(plan), countLimit, visible };
    if (rest !== undefined && rest.length <= LONGEST_KEPT_REQUEST)
      this.#requests.set(grant.key + rest, known);
    return { query: known.query, place, size, countLimit };
  }

  #query(plan: Plan): PreparedQuery {
    const { key } = keysOf(plan);
    const known = this.#queries.get(key);
    if (known !== undefined) return known;
    const query = new PreparedQuery(plan, this.#parts.dialect, this.#parts.options);
    this.#queries.set(key, query);
    return query;
  }
}

function csvOptionsOf({
  null: nullText,
  guard_formulas: guardFormulas,
}: NonNullable<ExportRequest['export_csv']>): CsvOptions {
  return {
    ...(nullText !== undefined && { null: nullText }),
    ...(guardFormulas !== undefined && { guardFormulas }),
  };
}

/** @throws {QueryFailedError} `model_unavailable` where something is missing of the model */
export function refuseMissing({ name }: ListRows, missing: Missing | undefined): void {
  if (missing === undefined) return;
  throw new QueryFailedError('model_unavailable', `${name}: ${missing.reason}`);
}

/** The page of a known request; undefined where it has an error, which is left to planning. */
function placeIn(
  { countLimit, visible }: KnownRequest,
  page: SplitRequest['page'],
): PagePlace | undefined {
  if (page.size > visible.maxPageSize) return undefined;
  if ('page' in page) return { page: page.page };
  if (countLimit === 0) return undefined;
  const { record, errors } = planRecord(page.containing, visible);
  return errors.length === 0 ? { record } : undefined;
}

/** Where a page begins in its list. */
export function rangeOf(page: PageNumber): PageRange {
  const requested = pageOffset(page);
  const offset = requested < LARGEST_OFFSET ? requested : LARGEST_OFFSET;
  return { size: page.size, offset };
}
