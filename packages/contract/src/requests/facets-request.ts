import * as z from 'zod/mini';

import type { Filter, FilterReading } from '../filter.ts';
import { readFilter } from '../read-filter.ts';
import { queryRequestSchema, readListRequest } from './query.ts';
import type { RequestReading } from './read-request.ts';
import { errorIssue, withCode } from './request-errors.ts';

/** The most facets of a request, and values or bins of each. */
export const FACET_LIMITS = { facets: 20, values: 1000 } as const;

const {
  query_model: nameSchema,
  query_filter: filterSchema,
  query_related: relatedSchema,
} = queryRequestSchema.shape;

const countSchema = z.int().check(z.gte(1), z.lte(FACET_LIMITS.values));

/** Values of an attribute, or bins of them. */
export const facetRequestSchema = z.strictObject({
  attribute: nameSchema,
  /** The most values to return. */
  values: z.optional(countSchema),
  /** The most intervals. */
  bins: z.optional(countSchema),
  /** Whose local times show the bounds of bins of instants. Default: UTC. */
  time_zone: z.optional(z.string()),
  /** Default: the most frequent first. */
  sort: z.optional(z.enum(['count', 'value'])),
  /** Replaces the common filter. */
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
    // Runs beside errors of members, so that a caller learns of all at once.
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

/** See docs/reference/contract.md#facets. Unknown members are errors. */
export const facetsRequestSchema = z.strictObject({
  query_model: nameSchema,
  /** Default: all records. */
  query_filter: filterSchema,
  query_related: relatedSchema,
  query_facets: facetsSchema,
});

export type FacetsRequest = z.infer<typeof facetsRequestSchema>;

/** A read request, or its errors with the well-formed members. */
export type FacetsRequestReading = RequestReading<FacetsRequest>;

/** As `readQueryRequest`. */
export function readFacetsRequest(body: unknown): FacetsRequestReading {
  return readListRequest(facetsRequestSchema, body);
}

/** Errors of a facet as a whole, and of its filter. */
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
