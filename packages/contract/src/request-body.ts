import type { Filter } from './filter.ts';
import type { QueryTotal } from './query-total.ts';

/** One term of the order of a request. */
export interface RequestedSort {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last';
}

/** How much of the total is asked for; `exact` where absent. */
export type RequestedTotal = 'exact' | 'none' | { readonly upTo: number };

/** A query as callers name its parts. */
export interface RequestedPage {
  readonly model: string;
  readonly attributes: readonly string[];
  readonly page: number;
  readonly size: number;
  readonly filter?: Filter | undefined;
  readonly sort?: readonly RequestedSort[] | undefined;
  readonly total?: RequestedTotal | undefined;
}

/** The body of the request for a page, before it is written as JSON. */
export interface RequestBody {
  readonly query_model: string;
  readonly query_attributes: readonly string[];
  readonly page: { readonly page: number; readonly size: number };
  readonly query_filter?: Filter;
  readonly query_sort?: readonly RequestedSort[];
  readonly query_total?: QueryTotal;
}

/** Names the parts of a query as the wire does. */
export function requestBody(query: RequestedPage): RequestBody {
  const { model, attributes, page, size, filter, sort, total = 'exact' } = query;
  return {
    query_model: model,
    query_attributes: attributes,
    page: { page, size },
    ...(filter && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
    // A server that does not know the member still answers what needs none.
    ...(total !== 'exact' && { query_total: wireTotal(total) }),
  };
}

function wireTotal(total: RequestedTotal): QueryTotal {
  return typeof total === 'string' ? total : { up_to: total.upTo };
}
