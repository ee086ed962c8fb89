import type { Filter } from '../filter.ts';
import { wholeNumber } from './request-body.ts';

/** One facet as callers name its parts: its values, or bins of them. */
export interface RequestedFacet {
  readonly attribute: string;
  readonly values?: number | undefined;
  readonly bins?: number | undefined;
  readonly sort?: 'count' | 'value' | undefined;
  readonly filter?: Filter | undefined;
}

/** Facets as callers name their parts. */
export interface RequestedFacets {
  readonly model: string;
  readonly filter?: Filter | undefined;
  readonly facets: readonly RequestedFacet[];
}

/** The body of a request for facets, before it is written as JSON. */
export interface FacetsBody {
  readonly query_model: string;
  readonly query_filter?: Filter;
  readonly query_facets: readonly object[];
}

/** Names the parts of a request for facets as the wire does. */
export function facetsBody({ model, filter, facets }: RequestedFacets): FacetsBody {
  return {
    query_model: model,
    ...(filter && { query_filter: filter }),
    query_facets: facets.map(({ filter: own, values, bins, ...facet }) => ({
      ...facet,
      ...(values !== undefined && { values: wholeNumber(values) }),
      ...(bins !== undefined && { bins: wholeNumber(bins) }),
      ...(own && { query_filter: own }),
    })),
  };
}
