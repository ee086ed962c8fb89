import { pageOffset } from '@proj/paging';

import type { Grant } from '../catalogue/grant.ts';
import type { Catalogue } from '../catalogue/model.ts';
import { InvalidQueryError } from '../errors.ts';
import type { Dialect, Window } from '../sources/source.ts';
import type { Cache, CacheStore } from './cache-store.ts';
import type { CompileOptions } from './compile.ts';
import { keysOf, List } from './list.ts';
import { refuseMissing } from './missing.ts';
import { planQuery } from './plan.ts';

/** A request that was understood: a list, and which page of it. */
export interface Planned {
  readonly list: List;
  readonly page: { readonly page: number; readonly size: number };
  readonly window: Window;
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
export class Planner {
  readonly #parts: PlannerParts;
  readonly #byRequest: Cache<List>;
  readonly #byKey: Cache<List>;
  readonly #grants = new WeakMap<Grant, number>();
  #lastGrant = 0;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    const options = { sizeOf: (list: List) => list.bytes, largestPart: LARGEST_PART };
    this.#byRequest = parts.store.cache('request ', options);
    this.#byKey = parts.store.cache('list ', options);
  }

  /**
   * @throws {InvalidQueryError} with every fault of the request
   * @throws {QueryFailedError} `model_unavailable` when a part of the model that the request needs
   *   was missing when the schema was last read
   */
  plan(body: unknown, grant: Grant): Planned {
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
    const list = this.#listOf(plan);
    if (key !== undefined && key.length <= LONGEST_KEPT_REQUEST) this.#byRequest.set(key, list);
    return planned(list, { page, size });
  }

  #listOf(plan: List['plan']): List {
    const { key } = keysOf(plan);
    const known = this.#byKey.get(key);
    // Two grants may show a model differently under the same name.
    if (known !== undefined && known.plan.model === plan.model) return known;
    const list = new List(plan, this.#parts.dialect, this.#parts.options);
    this.#byKey.set(key, list);
    return list;
  }

  #numberOf(grant: Grant): number {
    const known = this.#grants.get(grant);
    if (known !== undefined) return known;
    this.#lastGrant += 1;
    this.#grants.set(grant, this.#lastGrant);
    return this.#lastGrant;
  }
}

function planned(list: List, page: Planned['page']): Planned {
  const offset = pageOffset(page);
  return {
    list,
    page,
    window: { size: page.size, offset: offset < LARGEST_OFFSET ? offset : LARGEST_OFFSET },
  };
}

/**
 * A request whose page is beyond doubt, and the rest of it. Every other request is left to the
 * checks that name its faults.
 */
function plainParts(
  body: unknown,
): { readonly rest: object; readonly page: Planned['page'] } | undefined {
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
