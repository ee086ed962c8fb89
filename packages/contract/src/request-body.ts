import type { Filter } from './filter.ts';

/** One term of the order of a request. */
export interface RequestedSort {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** A query as callers name its parts. */
export interface RequestedPage {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly page: number;
  readonly size: number;
  readonly filter?: Filter | undefined;
  readonly sort?: readonly RequestedSort[] | undefined;
}

/** The body of the request for a page, before it is written as JSON. */
export interface RequestBody {
  readonly query_model: string;
  readonly query_attributes: readonly string[];
  readonly page: { readonly page: number; readonly size: number };
  readonly query_filter?: Filter;
  readonly query_sort?: readonly RequestedSort[];
}

/** Names the parts of a query as the wire does. */
export function requestBody(query: RequestedPage): RequestBody {
  const { model, attributes, page, size, filter, sort } = query;
  return {
    query_model: model,
    query_attributes: attributes,
    page: { page, size },
    ...(filter && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
  };
}
