import type { RequestErrorCode } from '../src/problems.ts';

/**
 * Every error code; the type makes the list complete. Where the error is found: by reading the body
 * of any request alone, that of an export or of a request for facets, or with the catalogue.
 */
export const REQUEST_ERROR_CODES: Readonly<
  Record<RequestErrorCode, 'body' | 'export' | 'facets' | 'catalogue'>
> = {
  invalid_type: 'body',
  missing_member: 'body',
  unknown_member: 'body',
  out_of_range: 'body',
  size_too_large: 'catalogue',
  reply_too_large: 'catalogue',
  invalid_text: 'body',
  no_attributes: 'body',
  too_many_attributes: 'body',
  duplicate_attribute: 'body',
  invalid_filter: 'body',
  filter_too_large: 'body',
  unknown_operator: 'body',
  operator_not_applicable: 'catalogue',
  unknown_time_zone: 'catalogue',
  time_zone_not_applicable: 'catalogue',
  invalid_value: 'body',
  too_many_sort_terms: 'body',
  not_sortable: 'catalogue',
  too_many_relations: 'catalogue',
  invalid_query_total: 'body',
  invalid_export_csv: 'export',
  no_visible_key: 'catalogue',
  record_not_in_list: 'catalogue',
  invalid_related: 'body',
  invalid_groups: 'body',
  too_many_groups: 'body',
  not_groupable: 'catalogue',
  no_facets: 'facets',
  too_many_facets: 'facets',
  invalid_facet: 'facets',
  not_facetable: 'catalogue',
  unknown_model: 'catalogue',
  unknown_attribute: 'catalogue',
};
