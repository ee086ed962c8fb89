import * as z from 'zod/mini';

import type { Filter, FilterReading } from '../filter.ts';
import { readFilter } from '../read-filter.ts';
import { queryRequestSchema } from './query.ts';
import { readRequest, type RequestReading } from './read-request.ts';
import { errorIssue, withCode } from './request-errors.ts';

/** How many facets one request may name, and how many values or bins each of them may have. */
export const FACET_LIMITS = { facets: 20, values: 1000 } as const;

const { query_model: nameSchema, query_filter: filterSchema } = queryRequestSchema.shape;

const countSchema = z.int().check(z.gte(1), z.lte(FACET_LIMITS.values));

/** One facet of a request: the values of an attribute, or bins of them. */
export const facetRequestSchema = z.strictObject({
  attribute: nameSchema,
  /** How many of the values are returned at most. */
  values: z.optional(countSchema),
  /** Into how many intervals the values are divided at most. */
  bins: z.optional(countSchema),
  /** The order of the values; the most frequent first where absent. */
  sort: z.optional(z.enum(['count', 'value'])),
  /** Which records to look at in place of those of the common filter. */
  query_filter: z.optional(z.unknown()),
});

/** One facet that was read. */
export interface FacetRequest extends Omit<z.infer<typeof facetRequestSchema>, 'query_filter'> {
  readonly query_filter?: Filter | undefined;
}

const facetsSchema = z.pipe(
  z.array(facetRequestSchema).check(
    withCode(z.minLength(1), 'no_facets'),
    withCode(z.maxLength(FACET_LIMITS.facets), 'too_many_facets'),
    // Runs beside errors of single members too, since a caller learns of every error at once.
    z.check<unknown[]>(
      ({ value, issues }) => {
        for (const [index, facet] of value.entries())
          if (typeof facet === 'object' && facet !== null) issues.push(...issuesOf(facet, index));
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
  ),
  z.transform((facets): FacetRequest[] => facets.map(withFilter)),
);

/**
 * The body of `POST /api/v1/dynamic/facets`
 * (docs/reference/contract.md#facets). Members that
 * it does not name are errors.
 */
export const facetsRequestSchema = z.strictObject({
  query_model: nameSchema,
  /** Which records to look at; all where absent. */
  query_filter: filterSchema,
  query_facets: facetsSchema,
});

export type FacetsRequest = z.infer<typeof facetsRequestSchema>;

/** A request that was read, or its errors with those members that are well-formed by themselves. */
export type FacetsRequestReading = RequestReading<FacetsRequest>;

/** Reads the body of a request for facets, as `readQueryRequest` reads that of a query. */
export function readFacetsRequest(body: unknown): FacetsRequestReading {
  return readRequest(facetsRequestSchema, body);
}

/** What is wrong with a facet as a whole, and with its filter. */
function issuesOf(facet: object, index: number): z.core.$ZodRawIssue[] {
  const has = (name: string): boolean => Object.hasOwn(facet, name);
  const isOne = has('values') !== has('bins') && !(has('sort') && has('bins'));
  const { errors } = filterOf(facet, index);
  return [
    ...(isOne ? [] : [errorIssue('invalid_facet', [index])]),
    ...errors.map((error) => ({ code: 'custom' as const, input: facet, params: { error } })),
  ];
}

function withFilter(facet: z.infer<typeof facetRequestSchema>, index: number): FacetRequest {
  const { query_filter: _, ...rest } = facet;
  const { filter } = filterOf(facet, index);
  return filter === undefined ? rest : { ...rest, query_filter: filter };
}

function filterOf(facet: object, index: number): FilterReading {
  if (!('query_filter' in facet)) return { filter: undefined, errors: [] };
  return readFilter(facet.query_filter, ['query_facets', index, 'query_filter']);
}
