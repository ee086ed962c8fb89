import type { Cache } from '../../cache-store.ts';
import type { Grant } from '../../catalogue/grant.ts';
import { InvalidQueryError } from '../../errors.ts';
import { missingOfFacets } from '../../planning/missing-part.ts';
import { type FacetPlan, type FacetsPlan, planFacets } from '../../planning/plan-facets.ts';
import { compileFacets } from '../compile/compile-facets.ts';
import type { Dialect } from '../dialect.ts';
import { callersDialectOf } from '../compile/compile-session.ts';
import type { FacetStatements } from '../query-statements.ts';
import { hashOf, rowsShape } from './query-keys.ts';
import {
  LARGEST_PART,
  LONGEST_KEPT_REQUEST,
  type PreparerParts,
  refuseMissing,
} from './query-preparer.ts';

export interface PreparedFacets {
  readonly plan: FacetsPlan;
  readonly statements: FacetStatements;
  /** Equal for equal requests of callers who see the same records. */
  readonly key: string;
  /** Equal for replies with the same names of model and attributes. */
  readonly namesKey: string;
}

/** Memory of a plan beside its text. */
const PREPARED_BYTES = 4000;
const TEXT_FACTOR = 4;

export class FacetsPreparer {
  readonly #parts: PreparerParts;
  readonly #requests: Cache<PreparedFacets>;

  constructor(parts: PreparerParts) {
    this.#parts = parts;
    const kept = { sizeOf: bytesOf, largestPart: LARGEST_PART };
    this.#requests = parts.store.cache('facets request ', kept);
  }

  /** @throws {InvalidQueryError} with every error, {@link QueryFailedError} without a needed part */
  prepare(body: unknown, grant: Grant): PreparedFacets {
    const text = JSON.stringify(body) ?? '';
    const known = this.#requests.get(grant.key + text);
    if (known !== undefined) return known;
    const prepared = this.#prepare(body, grant);
    if (text.length <= LONGEST_KEPT_REQUEST) this.#requests.set(grant.key + text, prepared);
    return prepared;
  }

  #prepare(body: unknown, grant: Grant): PreparedFacets {
    const { catalogue, dialect, options } = this.#parts;
    const planning = planFacets(body, catalogue, grant);
    if (!planning.ok) throw new InvalidQueryError(planning.errors);
    const { plan } = planning;
    const { name, counted, facets } = plan;
    refuseMissing(plan, missingOfFacets(plan));
    const compiled = compileFacets(plan, callersDialectOf(plan, dialect), options.maxReplyBytes);
    refuseTooManyValues(compiled, dialect);
    const names = facets.map(({ attribute }) => attribute.name);
    return {
      plan,
      statements: compiled,
      key: hashOf([
        rowsShape({ ...plan, rows: counted }, []),
        facets.map((one) => facetShape(plan, one)),
      ]),
      namesKey: hashOf([name, names]),
    };
  }
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

function bytesOf({ statements }: PreparedFacets): number {
  return PREPARED_BYTES + statements.read.sql.length * TEXT_FACTOR;
}

function facetShape(plan: FacetsPlan, { rows, zone, limit, sort }: FacetPlan): unknown {
  return [rowsShape({ ...plan, rows }, []), zone?.name, limit, sort];
}
