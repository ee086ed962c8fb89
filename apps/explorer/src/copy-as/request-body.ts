import type { ViewQuery } from '../state/view-query.ts';

/** The body of the request that a view makes, as the contract names its members. */
export function requestBody({ model, attributes, page, size, filter, sort }: ViewQuery): object {
  return {
    query_model: model,
    query_attributes: attributes,
    page: { page, size },
    ...(filter && { query_filter: filter }),
    ...(sort && { query_sort: sort }),
  };
}
