import type { Rule } from './rule.ts';
import { ACCESS_RULES } from './rules/access.ts';
import { CATALOGUE_RULES } from './rules/catalogue.ts';
import { RECORD_RULES } from './rules/records.ts';
import { FILTER_ERROR_RULES } from './rules/filter-errors.ts';
import { FILTER_TEXT_RULES } from './rules/filter-texts.ts';
import { FILTER_RULES } from './rules/filters.ts';
import { HTTP_RULES } from './rules/http.ts';
import { JSON_TEXT_RULES } from './rules/json-text.ts';
import { METADATA_RULES } from './rules/metadata.ts';
import { ORDER_RULES } from './rules/order.ts';
import { PROBLEM_RULES } from './rules/problems.ts';
import { REQUEST_RULES } from './rules/requests.ts';

/** Every rule, in the order in which they are tried. */
export const RULES: readonly Rule[] = [
  ...METADATA_RULES,
  ...RECORD_RULES,
  ...REQUEST_RULES,
  ...JSON_TEXT_RULES,
  ...ACCESS_RULES,
  ...HTTP_RULES,
  ...PROBLEM_RULES,
  ...CATALOGUE_RULES,
  ...ORDER_RULES,
  ...FILTER_RULES,
  ...FILTER_TEXT_RULES,
  ...FILTER_ERROR_RULES,
];
