import { pageOffset } from '@proj/paging';

import type { Grant } from './catalogue/grant.ts';
import type { Catalogue } from './catalogue/model.ts';
import { InvalidQueryError } from './errors.ts';
import type { Dialect } from './sql/dialect.ts';
import type { PageRange } from './sql/query-statements.ts';
import type { Cache, CacheStore } from './cache-store.ts';
import type { CompileOptions } from './sql/compile.ts';
import { keysOf, PreparedQuery } from './sql/prepared-query.ts';
import { refuseMissing } from './planning/refuse-missing.ts';
import { planQuery } from './planning/plan.ts';

/** A request that was understood: a list, and which page of it. */
export interface PreparedPage {
  readonly query: PreparedQuery;
  readonly page: { readonly page: number; readonly size: number };
  readonly range: PageRange;
}

/** What statements are compiled for. */
export interface PlannerParts {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly options: CompileOptions;
  /** Where lists that were asked for lately are kept, with their statements. */
  readonly store: CacheStore;
}

/** No table holds 2^63 rows, and no database binds a larger offset. */
const LARGEST_OFFSET = 2n ** 63n - 1n;

/** Requests that are longer are understood anew each time. */
const LONGEST_KEPT_REQUEST = 8192;

/** A list that takes a larger part of the store is compiled anew each time. */
const LARGEST_PART = 1 / 16;

/**
 * Understands requests. Those that differ in their page alone are checked, planned and compiled
 * once.
 */
export class QueryPreparer {
  readonly #parts: PlannerParts;
  readonly #byRequest: Cache<PreparedQuery>;
  readonly #byKey: Cache<PreparedQuery>;
  readonly #grants = new WeakMap<Grant, number>();
  #lastGrant = 0;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    const options = { sizeOf: (query: PreparedQuery) => query.bytes, largestPart: LARGEST_PART };
    this.#byRequest = parts.store.cache('request ', options);
    this.#byKey = parts.store.cache('list ', options);
  }

  /**
   * @throws {InvalidQueryError} with every fault of the request
   * @throws {QueryFailedError} `model_unavailable` when a part of the model that the request needs
   *   was missing when the schema was last read
   */
  plan(body: unknown, grant: Grant): PreparedPage {
    const parts = plainParts(body);
    const key = parts && `${this.#numberOf(grant)} ${JSON.stringify(parts.rest)}`;
    const known = key === undefined ? undefined : this.#byRequest.get(key);
    if (
      parts !== undefined &&
      known !== undefined &&
      parts.page.size <= known.plan.model.maxPageSize
    ) {
      return planned(known, parts.page);
    }
    const planning = planQuery(body, this.#parts.catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.faults);
    refuseMissing(planning.plan);
    const { page, size, offset: _, ...plan } = planning.plan;
    const query = this.#listOf(plan);
    if (key !== undefined && key.length <= LONGEST_KEPT_REQUEST) this.#byRequest.set(key, query);
    return planned(query, { page, size });
  }

  #listOf(plan: PreparedQuery['plan']): PreparedQuery {
    const { key } = keysOf(plan);
    const known = this.#byKey.get(key);
    // Two grants may show a model differently under the same name.
    if (known !== undefined && known.plan.model === plan.model) return known;
    const query = new PreparedQuery(plan, this.#parts.dialect, this.#parts.options);
    this.#byKey.set(key, query);
    return query;
  }

  #numberOf(grant: Grant): number {
    const known = this.#grants.get(grant);
    if (known !== undefined) return known;
    this.#lastGrant += 1;
    this.#grants.set(grant, this.#lastGrant);
    return this.#lastGrant;
  }
}

function planned(query: PreparedQuery, page: PreparedPage['page']): PreparedPage {
  const offset = pageOffset(page);
  return {
    query,
    page,
    range: { size: page.size, offset: offset < LARGEST_OFFSET ? offset : LARGEST_OFFSET },
  };
}

/**
 * A request whose page is beyond doubt, and the rest of it. Every other request is left to the
 * checks that name its faults.
 */
function plainParts(
  body: unknown,
): { readonly rest: object; readonly page: PreparedPage['page'] } | undefined {
  if (typeof body !== 'object' || body === null || !('page' in body)) return undefined;
  const { page: asked, ...rest } = body;
  if (typeof asked !== 'object' || asked === null || !('page' in asked) || !('size' in asked))
    return undefined;
  const { page, size } = asked;
  const plain = isCount(page) && isCount(size) && Object.keys(asked).length === 2;
  return plain ? { rest, page: { page, size } } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}
