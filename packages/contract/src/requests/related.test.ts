import { expect, it } from 'vitest';

import { readQueryRequest } from './query.ts';

const COUNT = { name: 'orders_count', related: 'orders', op: 'count' };

/** The errors of a query with these counts and aggregates. */
function errorsOf(query_related: unknown, members: object = {}): string[] {
  const page = { page: 1, size: 20 };
  const body = { query_model: 'customers', query_attributes: ['name'], page, query_related };
  const reading = readQueryRequest({ ...body, ...members });
  return reading.ok ? [] : reading.errors.map(({ pointer, code }) => `${code} ${pointer}`);
}

it('reads counts and aggregates of related records', () => {
  const filter = { attribute: 'open', op: 'eq', value: true };
  const last = { name: 'last_order', related: 'orders', op: 'max', attribute: 'placed_at', filter };
  expect(errorsOf([COUNT, last])).toEqual([]);
  expect(errorsOf([])).toEqual([]);
});

it.each([
  [{ ...COUNT, name: '1st' }, 'invalid_related /query_related/0/name'],
  [{ ...COUNT, name: '' }, 'invalid_related /query_related/0/name'],
  [{ ...COUNT, name: 'a.b' }, 'invalid_related /query_related/0/name'],
  [{ ...COUNT, name: '" from x --' }, 'invalid_related /query_related/0/name'],
  [{ ...COUNT, op: 'median' }, 'invalid_value /query_related/0/op'],
  [{ ...COUNT, op: 'max' }, 'invalid_related /query_related/0'],
  [{ ...COUNT, by: 'day' }, 'unknown_member /query_related/0/by'],
  [{ ...COUNT, related: 7 }, 'invalid_type /query_related/0/related'],
  [{ ...COUNT, filter: null }, 'invalid_type /query_related/0/filter'],
  [{ ...COUNT, filter: {} }, 'missing_member /query_related/0/filter/attribute'],
  [{ name: 'n', op: 'count' }, 'missing_member /query_related/0/related'],
  ['orders', 'invalid_type /query_related/0'],
])('refuses %j', (one, error) => {
  expect(errorsOf([one])).toContain(error);
});

it('says what may be sent in place of one that is no object', () => {
  expect(errorsOf('orders')).toEqual(['invalid_type /query_related']);
});

it('has each name once', () => {
  const twice = 'duplicate_attribute /query_related/1/name';
  expect(errorsOf([COUNT, { ...COUNT, related: 'visits' }])).toEqual([twice]);
});

it('takes at most five', () => {
  const six = Array.from({ length: 6 }, (_, index) => ({ ...COUNT, name: `n${index}` }));
  expect(errorsOf(six.slice(1))).toEqual([]);
  expect(errorsOf(six)).toEqual(['too_many_relations /query_related']);
});

it('counts the relation as one of two that conditions may be inside of', () => {
  const inside = { related: 'lines', some: {} };
  expect(errorsOf([{ ...COUNT, filter: inside }])).toEqual([]);
  const deeper = { related: 'lines', some: { related: 'parts', some: {} } };
  expect(errorsOf([{ ...COUNT, filter: deeper }])).toEqual([
    'filter_too_large /query_related/0/filter/some',
  ]);
});

it('has every error of a filter beside those of other members', () => {
  const filter = { attribute: 'open', op: 'equals', value: true };
  expect(errorsOf([{ ...COUNT, filter }], { query_attributes: [] })).toEqual([
    'no_attributes /query_attributes',
    'unknown_operator /query_related/0/filter/op',
  ]);
});
