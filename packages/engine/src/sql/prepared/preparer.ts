import type { CsvOptions, ExportRequest, QueryRequest } from '@proj/contract';
import { pageOffset, type PageRequest } from '@proj/paging';

import type { Cache, CacheStore } from '../../cache-store.ts';
import type { Grant } from '../../catalogue/grant.ts';
import type { Catalogue, Model } from '../../catalogue/model.ts';
import { InvalidQueryError, QueryFailedError } from '../../errors.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import { type FacetsPlan, planFacets } from '../../planning/plan-facets.ts';
import { planRecord } from '../../planning/plan-record.ts';
import { type PagePlace, type Plan, planExport, planQuery } from '../../planning/plan.ts';
import { compileFacets } from '../compile/compile-facets.ts';
import { callersDialectOf } from '../compile/compile-session.ts';
import type { CompileOptions } from '../compile/compile.ts';
import type { Dialect } from '../dialect.ts';
import type { PageRange, FacetStatements } from '../query-statements.ts';
import { PreparedQuery } from './prepared-query.ts';
import { hashOf, QueryKeys, rowsShape } from './query-keys.ts';

export interface PreparedPage {
  readonly query: PreparedQuery;
  readonly size: number;
  readonly place: PagePlace;
  readonly countLimit: number | undefined;
}

export interface PreparedExport {
  readonly query: PreparedQuery;
  readonly csv: CsvOptions | undefined;
}

export interface PreparedFacets extends Pick<QueryKeys, 'key' | 'namesKey'> {
  readonly plan: FacetsPlan;
  readonly statements: FacetStatements;
}

interface PreparerParts {
  readonly catalogue: Catalogue;
  readonly dialect: Dialect;
  readonly options: CompileOptions;
  readonly store: CacheStore;
}

interface KnownRequest extends Pick<PreparedPage, 'query' | 'countLimit'> {
  /** As this caller sees it; others with the same query may see less or more. */
  readonly visible: Model;
}

/** Longer requests are planned each time. */
const LONGEST_KEPT_REQUEST = 8192;

/** Of the store; larger plans are made each time. */
const LARGEST_PART = 1 / 16;

/** Memory of a plan beside its text. */
const PREPARED_BYTES = 4000;
const TEXT_FACTOR = 4;

/** No table holds 2^63 rows, and no database binds a larger offset. */
const LARGEST_OFFSET = 2n ** 63n - 1n;

/** Cached by the grant's key and the request without its page: no grant gets another's records. */
export class Preparer {
  readonly #parts: PreparerParts;
  readonly #requests: Cache<KnownRequest>;
  readonly #queries: Cache<PreparedQuery>;
  readonly #facets: Cache<PreparedFacets>;

  constructor(parts: PreparerParts) {
    this.#parts = parts;
    const { store } = parts;
    const largestPart = LARGEST_PART;
    this.#requests = store.cache('request ', { sizeOf: ({ query }) => query.bytes, largestPart });
    this.#queries = store.cache('query ', { sizeOf: ({ bytes }) => bytes, largestPart });
    this.#facets = store.cache('facets request ', {
      sizeOf: ({ statements }) => PREPARED_BYTES + statements.read.sql.length * TEXT_FACTOR,
      largestPart,
    });
  }

  /** @throws {InvalidQueryError} with every error; {@link QueryFailedError} where a part is gone */
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

  prepareExport(body: unknown, grant: Grant): PreparedExport {
    const { catalogue } = this.#parts;
    const planning = planExport(body, { catalogue, grant });
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan, request } = planning;
    const { export_csv: csv } = request;
    refuseMissing(plan);
    return { query: this.#query(plan), csv: csv && csvOptionsOf(csv) };
  }

  prepareFacets(body: unknown, grant: Grant): PreparedFacets {
    const text = requestText(body);
    const known = this.#facets.get(grant.key + text);
    if (known !== undefined) return known;
    const prepared = this.#planFacets(body, grant);
    if (text.length <= LONGEST_KEPT_REQUEST) this.#facets.set(grant.key + text, prepared);
    return prepared;
  }

  #planFacets(body: unknown, grant: Grant): PreparedFacets {
    const { catalogue, dialect, options } = this.#parts;
    const planning = planFacets(body, catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan } = planning;
    const { name, counted, facets } = plan;
    refuseMissing(plan);
    const statements = compileFacets(plan, callersDialectOf(plan, dialect), options.maxReplyBytes);
    refuseTooManyValues(statements, dialect);
    const shapes = facets.map(({ rows, limit, sort }) => {
      return [rowsShape({ ...plan, rows }, []), limit, sort];
    });
    const names = facets.map(({ attribute }) => attribute.name);
    return {
      plan,
      statements,
      key: hashOf([rowsShape({ ...plan, rows: counted }, []), shapes]),
      namesKey: hashOf([name, names]),
    };
  }

  /** @param rest the request without its page; undefined if not kept */
  #plan(body: unknown, grant: Grant, rest?: string): PreparedPage {
    const planning = planQuery(body, this.#parts.catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan, place, request, countLimit, visible } = planning;
    refuseMissing(plan);
    const known = { query: this.#query(plan), countLimit, visible };
    if (rest !== undefined && rest.length <= LONGEST_KEPT_REQUEST)
      this.#requests.set(grant.key + rest, known);
    return { query: known.query, place, size: request.page.size, countLimit };
  }

  #query(plan: Plan): PreparedQuery {
    const { key } = new QueryKeys(plan);
    const known = this.#queries.get(key);
    if (known !== undefined) return known;
    const query = new PreparedQuery(plan, this.#parts.dialect, this.#parts.options);
    this.#queries.set(key, query);
    return query;
  }
}

function csvOptionsOf(csv: NonNullable<ExportRequest['export_csv']>): CsvOptions {
  const { null: nullText, guard_formulas: guardFormulas } = csv;
  return {
    ...(nullText !== undefined && { null: nullText }),
    ...(guardFormulas !== undefined && { guardFormulas }),
  };
}

function refuseMissing({ name, missing }: ListRows): void {
  if (missing !== undefined)
    throw new QueryFailedError('model_unavailable', `${name}: ${missing.reason}`);
}

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

export function rangeOf(page: PageRequest<number>): PageRange {
  const requested = pageOffset(page);
  const offset = requested < LARGEST_OFFSET ? requested : LARGEST_OFFSET;
  return { size: page.size, offset };
}

export interface SplitRequest {
  readonly page: QueryRequest['page'];
  readonly rest: string;
}

/** All pages of a list share the rest's text. Undefined for a malformed page. */
export function splitRequest(body: unknown): SplitRequest | undefined {
  if (typeof body !== 'object' || body === null || !('page' in body)) return undefined;
  const { page, ...rest } = body;
  return isPage(page) ? { page, rest: requestText(rest) } : undefined;
}

/** Tells apart what JSON writes as null: numbers that no double holds, such as 1e400, and null. */
export function requestText(request: unknown): string {
  const text = JSON.stringify(request) ?? '';
  return text.includes('null') ? text + JSON.stringify(request, numberAsText) : text;
}

function numberAsText(_: string, value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

function isPage(value: unknown): value is SplitRequest['page'] {
  if (typeof value !== 'object' || value === null) return false;
  const { page, containing, size } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(value).length !== 2 || !isCount(size)) return false;
  if ('page' in value) return isCount(page);
  return typeof containing === 'object' && containing !== null && !Array.isArray(containing);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function refuseTooManyValues(
  { read: { parameters } }: FacetStatements,
  { maxParameters = Infinity }: Dialect,
): void {
  if (parameters.length <= maxParameters) return;
  const pointer = '/query_facets';
  const detail =
    `${pointer}: with their bins and filters they compare with ${parameters.length} values, and ` +
    `a statement of this database with ${maxParameters} at most. Send several requests.`;
  throw new InvalidQueryError([{ pointer, code: 'too_many_facets', detail }]);
}
