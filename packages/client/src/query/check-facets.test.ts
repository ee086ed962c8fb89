import { describe, expect, it } from 'vitest';

import { InvalidReplyError } from '../errors/errors.ts';
import type { AnyFacetsQuery } from '../options/facets-query.ts';
import { checkFacets } from './facets.ts';

const QUERY: AnyFacetsQuery = {
  model: 'cities',
  facets: [
    { attribute: 'country', values: 2 },
    { attribute: 'people', bins: 2 },
  ],
};

const COUNTRY = {
  attribute: 'country',
  values: [
    { value: 'JP', count: '3' },
    { value: 'IT', count: '2' },
  ],
  distinct: '3',
  nulls: '1',
  min: 'FR',
  max: 'JP',
};

const PEOPLE = {
  attribute: 'people',
  bins: [
    { from: 1, to: 5, count: '4' },
    { from: 5, to: 9, count: '2' },
  ],
  nulls: '1',
  others: '0',
  min: 1,
  max: 9,
  sum: '20',
  average: '3.3333333333333333',
};

const REPLY = { facets: [COUNTRY, PEOPLE], total: '7' };

describe('a reply with facets', () => {
  it('is read with its counts as bigints', () => {
    const { facets, total } = checkFacets(QUERY, REPLY);
    expect(total).toBe(7n);
    expect(facets).toMatchObject([
      { values: [{ value: 'JP', count: 3n }, { count: 2n }], distinct: 3n, nulls: 1n, min: 'FR' },
      { bins: [{ from: 1, count: 4n }, { to: 9 }], others: 0n, sum: '20' },
    ]);
  });

  it('has no ends and no sum where an attribute has none', () => {
    const { min: _min, max: _max, ...values } = COUNTRY;
    const { sum: _sum, average: _average, ...bins } = PEOPLE;
    const { facets } = checkFacets(QUERY, { ...REPLY, facets: [values, bins] });
    expect(facets).toMatchObject([
      { min: null, max: null },
      { sum: null, average: null },
    ]);
  });

  it.each([
    ['a facet too few', { facets: [COUNTRY] }],
    ['facets in another order', { facets: [PEOPLE, COUNTRY] }],
    ['values in place of bins', { facets: [COUNTRY, { ...COUNTRY, attribute: 'people' }] }],
    ['more values than asked for', withValues([...COUNTRY.values, { value: 'FR', count: '1' }])],
    ['fewer values than there are', withValues(COUNTRY.values.slice(1))],
    ['more records than the total', { total: '6' }],
    ['bins that lack records', { total: '8' }],
    ['a count that is no number', withValues([{ value: 'JP', count: 'many' }])],
    ['a count of a million digits', { total: '1'.repeat(1_000_000) }],
    ['no facets', { facets: undefined }],
  ])('that has %s is no answer', (_, members) => {
    expect(() => checkFacets(QUERY, { ...REPLY, ...members })).toThrow(InvalidReplyError);
  });

  it('may have other records than the total where a facet has a filter of its own', () => {
    const filter = { attribute: 'people', op: 'gt', value: 3 } as const;
    const facets = [QUERY.facets[0] ?? { attribute: '', bins: 1 }, { ...PEOPLE_QUERY, filter }];
    const people = { ...PEOPLE, nulls: '0', bins: PEOPLE.bins.slice(1) };
    const body = { ...REPLY, facets: [COUNTRY, people] };
    expect(checkFacets({ ...QUERY, facets }, body).facets).toHaveLength(2);
    expect(() => checkFacets(QUERY, body)).toThrow(InvalidReplyError);
  });
});

describe('an approximate reply with facets', () => {
  const state = { isApproximate: true };

  it.each([
    ['more records than the total', { total: '6' }],
    ['bins that lack records', { total: '8' }],
    ['fewer values than there are', withValues(COUNTRY.values.slice(1))],
  ])('may have %s', (_, members) => {
    expect(checkFacets(QUERY, { ...REPLY, ...members }, state).facets).toHaveLength(2);
  });

  it.each([
    ['more values than asked for', withValues([...COUNTRY.values, { value: 'FR', count: '1' }])],
    ['a facet too few', { facets: [COUNTRY] }],
  ])('that has %s is no answer', (_, members) => {
    expect(() => checkFacets(QUERY, { ...REPLY, ...members }, state)).toThrow(InvalidReplyError);
  });
});

const PEOPLE_QUERY = { attribute: 'people', bins: 2 };

function withValues(values: readonly object[]): object {
  return { facets: [{ ...COUNTRY, values }, PEOPLE] };
}
