import { API_PATHS, OPERATORS, operatorsOf, PROBLEMS, type RequestError } from '@proj/contract';
import { expect, it } from 'vitest';

import { sharedService, TOKEN } from '../helper.ts';
import {
  EXAMPLE_SETTINGS,
  EXAMPLE_SQL,
  FAULTS_OF_TWO_KINDS,
  WRONG_FACETS,
  WRONG_QUERIES,
} from './wrong-queries.ts';

const service = await sharedService({ sql: EXAMPLE_SQL, settings: EXAMPLE_SETTINGS });

const REQUESTS = { ...WRONG_FACETS, ...WRONG_QUERIES };

type Fault = Omit<RequestError, 'code'>;

const FAULTS: Readonly<Record<keyof typeof REQUESTS, Fault>> = {
  invalid_type: error('/page/page', ': expected a whole number, not in quotes.'),
  missing_member: error('/page/size', ' is required: a whole number, not in quotes.'),
  unknown_member: error('/limit', ' is not part of the request.'),
  out_of_range: error('/page/page', ': expected a whole number of at least 1.'),
  size_too_large: error('/page/size', ': this model answers at most 1000 records per page.', {
    maximum: 1000,
  }),
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
function error(pointer: string, detail: string, more: Partial<Fault> = {}): Fault {
  return { pointer, detail: /^[: ]/.test(detail) ? pointer + detail : detail, ...more };
}

const codes = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];

it.each(codes)('the server says of a request with %s what is wrong, and where', async (code) => {
  const path = Object.hasOwn(WRONG_FACETS, code) ? API_PATHS.facets : API_PATHS.query;
  const { detail } = FAULTS[code];
  const { status, title } = PROBLEMS[code];
  expect(await problemOf(path, REQUESTS[code])).toEqual({
    type: `/problems/${code}`,
    title,
    status,
    detail,
    code,
    request_id: 'this-one',
    errors: [{ ...FAULTS[code], code }],
  });
});

it('the server lists the errors of a request that has some of several kinds', async () => {
  const { status, title } = PROBLEMS.invalid_request;
  expect(await problemOf(API_PATHS.query, FAULTS_OF_TWO_KINDS)).toEqual({
    type: '/problems/invalid_request',
    title,
    status,
    detail: 'The request has 2 errors.',
    code: 'invalid_request',
    request_id: 'this-one',
    errors: (['out_of_range', 'unknown_attribute'] as const).map((code) => ({
      ...FAULTS[code],
      code,
    })),
  });
});

async function problemOf(path: string, body: object): Promise<unknown> {
  const reply = await service.app.inject({
    method: 'POST',
    url: `/${path}`,
    headers: { authorization: `Bearer ${TOKEN}`, 'x-request-id': 'this-one' },
    body,
  });
  return reply.json();
}
