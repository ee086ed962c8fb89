import type { RequestedRelated } from '../aggregates.ts';
import type { Filter } from '../filter.ts';
import type { RelatedRequest } from './related.ts';
import { namedIn, wholeNumber } from './request-body.ts';

/** Values of an attribute, or bins of them. */
export interface RequestedFacet {
  readonly attribute: string;
  readonly values?: number | undefined;
  readonly bins?: number | undefined;
  readonly time_zone?: string | undefined;
  readonly sort?: 'count' | 'value' | undefined;
  readonly filter?: Filter | undefined;
}

/** Facets as callers name their parts. */
export interface RequestedFacets {
  readonly model: string;
  readonly filter?: Filter | undefined;
  readonly related?: RequestedRelated | undefined;
  readonly facets: readonly RequestedFacet[];
}

/** Before it is written as JSON. */
export interface FacetsBody {
  readonly query_model: string;
  readonly query_filter?: Filter;
  readonly query_related?: readonly RelatedRequest[];
  readonly query_facets: readonly object[];
}

/** Names the parts as the wire does. */
export function facetsBody({ model, filter, related, facets }: RequestedFacets): FacetsBody {
  return {
    query_model: model,
    ...(filter && { query_filter: filter }),
    ...(related && { query_related: namedIn(related) }),
    query_facets: facets.map(({ filter: own, values, bins, ...facet }) => ({
      ...facet,
      ...(values !== undefined && { values: wholeNumber(values) }),
      ...(bins !== undefined && { bins: wholeNumber(bins) }),
      ...(own && { query_filter: own }),
    })),
  };
}
