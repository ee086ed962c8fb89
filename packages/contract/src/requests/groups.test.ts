import { describe, expect, it } from 'vitest';

import { readExportRequest } from './export-request.ts';
import { readQueryRequest } from './query.ts';

const revenue = { name: 'revenue', op: 'sum', attribute: 'amount' };
const valid = {
  query_model: 'orders',
  query_attributes: ['country.name', 'revenue'],
  query_groups: ['country.name', { attribute: 'placed_at', by: 'month' }],
  query_aggregates: [revenue, { name: 'orders', op: 'count' }],
  query_group_filter: { attribute: 'revenue', op: 'gt', value: '10' },
};
const page = { page: 1, size: 10 };

/** A valid body with members replaced, or left out where they are undefined. */
function bodyOf(members: object): unknown {
  return JSON.parse(JSON.stringify({ ...valid, page, ...members }));
}

/** The errors of such a body, in their order: the code and the place of each. */
function errorsIn(members: object): string[] {
  const reading = readQueryRequest(bodyOf(members));
  return reading.ok ? [] : reading.errors.map(({ pointer, code }) => `${code} ${pointer}`);
}

describe('a valid request for groups', () => {
  it('is read with each group as an object', () => {
    const query_groups = [{ attribute: 'country.name' }, valid.query_groups[1]];
    expect(readQueryRequest({ ...valid, page })).toEqual({
      ok: true,
      request: { ...valid, query_groups, page },
    });
    expect(readExportRequest(valid)).toEqual({ ok: true, request: { ...valid, query_groups } });
  });

  it('may do without aggregates', () => {
    expect(errorsIn({ query_aggregates: undefined, query_group_filter: undefined })).toEqual([]);
  });
});

function aggregate(changes: object): object {
  return { query_aggregates: [{ ...revenue, ...changes }] };
}

describe('a request for groups with errors', () => {
  it.each<[string, object, ...string[]]>([
    [
      'more aggregates than there may be',
      {
        query_aggregates: Array.from({ length: 11 }, (_, at) => ({ name: `a${at}`, op: 'count' })),
      },
      'too_many_groups /query_aggregates',
    ],
    ['a group that is a number', { query_groups: [1] }, 'invalid_type /query_groups/0'],
    [
      'a part of time that is none',
      { query_groups: [{ attribute: 'at', by: 'decade' }] },
      'invalid_value /query_groups/0/by',
    ],
    [
      'a group twice',
      { query_groups: ['a', { attribute: 'a' }] },
      'duplicate_attribute /query_groups/1',
    ],
    [
      'an aggregate with the name of a group',
      { query_groups: ['revenue'] },
      'duplicate_attribute /query_aggregates/0/name',
    ],
    [
      'an aggregate without a name',
      aggregate({ name: '' }),
      'invalid_groups /query_aggregates/0/name',
    ],
    [
      'an aggregate whose name has quotes',
      aggregate({ name: 'a"\'' }),
      'invalid_groups /query_aggregates/0/name',
    ],
    [
      'an aggregate that is none',
      aggregate({ op: 'median' }),
      'invalid_value /query_aggregates/0/op',
    ],
    ['a sum of nothing', aggregate({ attribute: undefined }), 'invalid_groups /query_aggregates/0'],
    [
      'a page that a record names',
      { page: { containing: { id: 1 }, size: 1 } },
      'invalid_groups /page/containing',
    ],
    [
      'aggregates and a filter without groups',
      { query_groups: undefined },
      'invalid_groups /query_aggregates',
      'invalid_groups /query_group_filter',
    ],
    [
      'a filter of groups that is none',
      { query_group_filter: { and: [] } },
      'invalid_filter /query_group_filter/and',
    ],
  ])('says where they are: %s', (_title, members, ...errors) => {
    expect(errorsIn(members)).toEqual(errors);
  });
});
