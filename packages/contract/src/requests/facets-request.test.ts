import { describe, expect, it } from 'vitest';

import { FACET_LIMITS, readFacetsRequest } from './facets-request.ts';
import { facetsReplySchema } from '../replies/facets-reply.ts';

const country = { attribute: 'country_code', values: 20 };
const people = { attribute: 'population', bins: 10 };
const valid = { query_model: 'cities', query_facets: [country, people] };

/** The errors of a body as `[pointer, code]`, in their order. */
function errorsIn(body: unknown): [pointer: string, code: string][] {
  const reading = readFacetsRequest(body);
  return reading.ok ? [] : reading.errors.map(({ pointer, code }) => [pointer, code]);
}

function errorsOfFacet(facet: unknown): [pointer: string, code: string][] {
  return errorsIn({ ...valid, query_facets: [country, facet] });
}

describe('a valid request for facets', () => {
  it.each([
    ['without a filter', valid],
    ['sorted by value', { ...valid, query_facets: [{ ...country, sort: 'value' }] }],
    [
      'with a filter of all facets and one of a single facet',
      {
        ...valid,
        query_filter: { attribute: 'population', op: 'gt', value: 5 },
        query_facets: [country, { ...people, query_filter: { and: [{ not: leaf('eq') }] } }],
      },
    ],
    [
      'of a count of related records',
      {
        ...valid,
        query_related: [{ name: 'parts_count', related: 'parts', op: 'count' }],
        query_facets: [{ attribute: 'parts_count', bins: 5 }],
      },
    ],
    ['of one attribute twice', { ...valid, query_facets: [people, people, country] }],
  ])('is read as it is %s', (_, request) => {
    expect(readFacetsRequest(request)).toStrictEqual({ ok: true, request });
  });

  it('may have as many facets, values and bins as the limits', () => {
    const { facets, values } = FACET_LIMITS;
    const query_facets = Array.from({ length: facets }, () => ({ attribute: 'a', values }));
    expect(errorsIn({ ...valid, query_facets })).toEqual([]);
    expect(errorsOfFacet({ attribute: 'a', bins: values })).toEqual([]);
  });

  it('has the value that an operator of a filter takes by default', () => {
    const query_filter = { attribute: 'a', op: 'is_null' };
    const reading = readFacetsRequest({ ...valid, query_facets: [{ ...people, query_filter }] });
    expect(reading).toMatchObject({
      request: { query_facets: [{ query_filter: { ...query_filter, value: true } }] },
    });
  });
});

describe('a request for facets that is not valid', () => {
  it.each([
    ['no facet', [], 'no_facets'],
    ['21 facets', Array.from({ length: 21 }, () => country), 'too_many_facets'],
    ['an object in place of a list', country, 'invalid_type'],
  ])('has one error for %s', (_, query_facets, code) => {
    expect(errorsIn({ ...valid, query_facets })).toEqual([['/query_facets', code]]);
  });

  it.each([
    ['both values and bins', { ...country, bins: 3 }, '', 'invalid_facet'],
    ['neither', { attribute: 'a' }, '', 'invalid_facet'],
    ['an order of bins', { ...people, sort: 'count' }, '', 'invalid_facet'],
    ['no bins', { ...people, bins: 0 }, '/bins', 'out_of_range'],
    ['1,001 values', { ...country, values: 1001 }, '/values', 'out_of_range'],
    ['a number in quotes', { ...country, values: '20' }, '/values', 'invalid_type'],
    ['a fraction', { ...country, values: 1.5 }, '/values', 'invalid_type'],
    ['another order', { ...country, sort: 'name' }, '/sort', 'invalid_value'],
    ['no attribute', { values: 3 }, '/attribute', 'missing_member'],
    ['a NUL in a name', { attribute: 'a\0', bins: 3 }, '/attribute', 'invalid_text'],
    ['a member of no facet', { ...people, size: 3 }, '/size', 'unknown_member'],
    ['no object', 'population', '', 'invalid_type'],
    [
      'an operator that there is not',
      { ...people, query_filter: leaf('like') },
      '/query_filter/op',
      'unknown_operator',
    ],
  ])('points at a facet with %s', (_, facet, place, code) => {
    expect(errorsOfFacet(facet)).toEqual([[`/query_facets/1${place}`, code]]);
  });

  it('names the limit that was passed', () => {
    const reading = readFacetsRequest({ ...valid, query_facets: [{ ...country, values: 2000 }] });
    const detail = '/query_facets/0/values: expected at most 1000.';
    expect(reading).toMatchObject({ errors: [{ detail, maximum: 1000 }] });
  });

  it('has all of its errors at once', () => {
    const facets = [{ bins: 0, query_filter: leaf('like') }, { attribute: 'a' }];
    expect(errorsIn({ query_facets: facets, page: {} }).map(([pointer]) => pointer)).toEqual([
      '/query_model',
      '/query_facets/0/attribute',
      '/query_facets/0/bins',
      '/query_facets/0/query_filter/op',
      '/query_facets/1',
      '/page',
    ]);
  });

  it('keeps the members that are well-formed readable', () => {
    const reading = readFacetsRequest({ ...valid, query_filter: 3 });
    expect(reading).toMatchObject({ ok: false, wellFormed: valid });
  });
});

it('the reply of the contract is one', () => {
  const range = { nulls: '0', min: '1', max: '9' };
  const reply = {
    facets: [
      { attribute: 'a', values: [{ value: null, count: '3' }], distinct: '1', nulls: '0' },
      { attribute: 'b', bins: [{ from: '1', to: '9', count: '3' }], others: '0', ...range },
    ],
    total: '3',
  };
  expect(facetsReplySchema.parse(reply)).toEqual(reply);
});

function leaf(op: string): object {
  return { attribute: 'a', op, value: 1 };
}
