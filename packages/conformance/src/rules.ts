import type { Rule } from './rule.ts';
import { CATALOGUE_RULES } from './rules/catalogue.ts';
import { CONTAINING_RULES } from './rules/lists/containing.ts';
import { EXPORT_RULES } from './rules/exports.ts';
import { FACET_RULES } from './rules/facets.ts';
import { FILTER_ERROR_RULES } from './rules/filters/filter-errors.ts';
import { FILTER_TEXT_RULES } from './rules/filters/filter-texts.ts';
import { FILTER_RULES } from './rules/filters/filters.ts';
import { GROUP_RULES } from './rules/groups.ts';
import { HEADER_RULES } from './rules/http/headers.ts';
import { HTTP_RULES } from './rules/http/http.ts';
import { PAGE_RULES } from './rules/lists/pages.ts';
import { PROBLEM_RULES } from './rules/requests/problems.ts';
import { QUERY_METHOD_RULES } from './rules/http/query-method.ts';
import { RECORD_RULES } from './rules/lists/records.ts';
import { RELATED_COUNT_RULES } from './rules/related-counts.ts';
import { RELATION_RULES } from './rules/relations.ts';
import { REQUEST_RULES } from './rules/requests/requests.ts';
import { SORT_RULES } from './rules/lists/sort.ts';
import { TOTAL_RULES } from './rules/lists/totals.ts';
import { WATCH_RULES } from './rules/watches.ts';

/** Every rule, in the order in which they are tried. */
export const RULES: readonly Rule[] = [
  ...PAGE_RULES,
  ...RECORD_RULES,
  ...REQUEST_RULES,
  ...HTTP_RULES,
  ...HEADER_RULES,
  ...QUERY_METHOD_RULES,
  ...PROBLEM_RULES,
  ...CATALOGUE_RULES,
  ...SORT_RULES,
  ...FILTER_RULES,
  ...FILTER_TEXT_RULES,
  ...FILTER_ERROR_RULES,
  ...RELATION_RULES,
  ...RELATED_COUNT_RULES,
  ...TOTAL_RULES,
  ...CONTAINING_RULES,
  ...EXPORT_RULES,
  ...WATCH_RULES,
  ...GROUP_RULES,
  ...FACET_RULES,
];
