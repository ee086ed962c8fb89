import {
  type RequestError,
  type RequestErrorCode,
  type Problem,
  OPERATORS,
  operatorsOf,
  type ProblemCode,
  PROBLEMS,
} from '@proj/contract';

import { HttpProblem } from '../endpoint/problems.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { PROBLEM_CODES } from './read-problems.ts';
import { schemaRef } from './schemas.ts';

const REQUEST_ID = '0b6f3a52-6c1f-4b9e-9f57-0d8a4f6f2c11';

type ExampleError = Omit<RequestError, 'code'>;

const FAULTS: Readonly<Record<RequestErrorCode, ExampleError>> = {
  invalid_type: error('/page/page', ': expected a whole number, not in quotes.'),
  missing_member: error('/page/size', ' is required: a whole number, not in quotes.'),
  unknown_member: error('/limit', ' is not part of the request.'),
  out_of_range: error('/page/page', ': expected a whole number of at least 1.'),
  size_too_large: error('/page/size', ': this model answers at most 1000 records per page.', {
    maximum: 1000,
  }),
  reply_too_large: error(
    '/page/size',
    ': the records of this page take more than 67108864 bytes.',
    { maximum: 67_108_864 },
  ),
  invalid_text: error('/query_model', ' holds a lone surrogate or a NUL.'),
  too_many_relations: error(
    '/query_attributes/8',
    ': a request looks along at most 8 different paths.',
    { maximum: 8 },
  ),
  no_attributes: error('/query_attributes', ': name at least one attribute.'),
  too_many_attributes: error('/query_attributes', ': name at most 200 attributes.', {
    maximum: 200,
  }),
  duplicate_attribute: error('/query_attributes/1', ' is named a second time.'),
  invalid_filter: error('/query_filter/and', ': name at least one filter.'),
  filter_too_large: error('/query_filter/value', ': a filter lists at most 1000 values.', {
    maximum: 1000,
  }),
  unknown_operator: error(
    '/query_filter/op',
    `: expected one of ${Object.keys(OPERATORS).join(', ')}.`,
  ),
  operator_not_applicable: error(
    '/query_filter/op',
    `population is int64; it takes ${operatorsOf('int64').join(', ')}.`,
  ),
  unknown_time_zone: error(
    '/query_filter/time_zone',
    'There is no time zone named "Europe/Pariss".',
    { did_you_mean: 'Europe/Paris' },
  ),
  time_zone_not_applicable: error('/query_filter/time_zone', 'founded is date, which has no zone.'),
  invalid_value: error('/query_sort/0/direction', ': expected "asc" or "desc".'),
  invalid_query_total: error('/query_total/up_to', ': expected a whole number from 1 to 1000000.', {
    maximum: 1_000_000,
  }),
  invalid_export_csv: error(
    '/export_csv/null',
    ': expected a text without commas, quotes and line breaks.',
  ),
  no_visible_key: error(
    '/page/containing',
    ': "cities" has no key by which its records can be named, each part of ' +
      'which is one attribute.',
  ),
  record_not_in_list: error('/page/containing', ': the list has no record with this key.'),
  invalid_related: error(
    '/query_related/0/name',
    ': expected up to 63 letters, digits and underscores, not beginning with a digit.',
  ),
  invalid_groups: error('/query_groups', ': name at least one attribute.'),
  too_many_groups: error('/query_groups', ': expected at most 5.', { maximum: 5 }),
  not_groupable: error('/query_groups/0', 'tags is json, which has no groups.'),
  no_facets: error('/query_facets', ': name at least one facet.'),
  too_many_facets: error('/query_facets', ': name at most 20 facets.', { maximum: 20 }),
  invalid_facet: error(
    '/query_facets/0',
    ': expected either "values", with or without "sort", or "bins".',
  ),
  not_facetable: error(
    '/query_facets/0/attribute',
    '"tags" is json, which has no facet of values.',
  ),
  too_many_sort_terms: error('/query_sort', ': sort by at most 5 attributes.', { maximum: 5 }),
  not_sortable: error('/query_sort/0/attribute', '"tags" is json, which has no order.'),
  unknown_model: error('/query_model', 'No model is named "citys".', { did_you_mean: 'cities' }),
  unknown_attribute: error('/query_attributes/0', '"cities" has no attribute named "nane".', {
    did_you_mean: 'name',
  }),
};

/** @param detail after the pointer, where it begins with a colon or a space */
function error(pointer: string, detail: string, more: Partial<ExampleError> = {}): ExampleError {
  return { pointer, detail: /^[: ]/.test(detail) ? pointer + detail : detail, ...more };
}

/** Described by the Model Context Protocol, or private to the service and its explorer. */
const ELSEWHERE: ReadonlySet<ProblemCode> = new Set(['origin_refused', 'sign_in_refused']);

export function problemExamples(): Record<string, { summary: string; value: Problem }> {
  const codes = PROBLEM_CODES.filter((code) => !ELSEWHERE.has(code));
  return Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: example(code) }]),
  );
}

function isRequestErrorCode(code: string): code is RequestErrorCode {
  return Object.hasOwn(FAULTS, code);
}

function example(code: ProblemCode): Problem {
  const codes: RequestErrorCode[] =
    code === 'invalid_request' ? ['out_of_range', 'unknown_attribute'] : [];
  const errors = (isRequestErrorCode(code) ? [code] : codes).map((name) => ({
    ...FAULTS[name],
    code: name,
  }));
  const detail =
    errors.length > 1
      ? `The request has ${errors.length} errors.`
      : (errors[0]?.detail ?? PROBLEMS[code].meaning);
  return new HttpProblem(code, detail, errors.length > 0 ? { errors } : {}).toDocument(REQUEST_ID);
}

/** Besides those of all problems. */
const STATUS_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  415: ['Accept-Post', 'Accept-Query'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Statuses before the caller, and so its limits, are known. */
const BEFORE_LIMITS: ReadonlySet<number> = new Set([401, 403, 405, 408, 431, 501, 505]);

export function problemResponses(
  codes: readonly ProblemCode[],
  access: 'token' | 'public',
): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const limits: HeaderName[] =
        access === 'token' && !BEFORE_LIMITS.has(status) ? ['RateLimit', 'RateLimit-Policy'] : [];
      return [String(status), response(group, [...(STATUS_HEADERS[status] ?? []), ...limits])];
    }),
  );
}

function response(codes: readonly ProblemCode[], headers: readonly HeaderName[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
    headers: headerRefs(['X-Request-Id', 'Cache-Control', ...headers]),
    content: {
      'application/problem+json': {
        schema: schemaRef('Problem'),
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}
