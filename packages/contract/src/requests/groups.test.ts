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

/** The errors of such a body as `[pointer, code]`, in their order. */
function errorsIn(members: object): [pointer: string, code: string][] {
  const reading = readQueryRequest(bodyOf(members));
  return reading.ok ? [] : reading.errors.map(({ pointer, code }) => [pointer, code]);
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
  it.each<[string, object, [pointer: string, code: string][]]>([
    [
      'more aggregates than there may be',
      {
        query_aggregates: Array.from({ length: 11 }, (_, at) => ({ name: `a${at}`, op: 'count' })),
      },
      [['/query_aggregates', 'too_many_groups']],
    ],
    ['a group that is a number', { query_groups: [1] }, [['/query_groups/0', 'invalid_type']]],
    [
      'a part of time that is none',
      { query_groups: [{ attribute: 'at', by: 'decade' }] },
      [['/query_groups/0/by', 'invalid_value']],
    ],
    [
      'a group twice',
      { query_groups: ['a', { attribute: 'a' }] },
      [['/query_groups/1', 'duplicate_attribute']],
    ],
    [
      'an aggregate with the name of a group',
      { query_groups: ['revenue'] },
      [['/query_aggregates/0/name', 'duplicate_attribute']],
    ],
    [
      'an aggregate without a name',
      aggregate({ name: '' }),
      [['/query_aggregates/0/name', 'invalid_groups']],
    ],
    [
      'an aggregate whose name has quotes',
      aggregate({ name: 'a"\'' }),
      [['/query_aggregates/0/name', 'invalid_groups']],
    ],
    [
      'an aggregate that is none',
      aggregate({ op: 'median' }),
      [['/query_aggregates/0/op', 'invalid_value']],
    ],
    [
      'a sum of nothing',
      aggregate({ attribute: undefined }),
      [['/query_aggregates/0', 'invalid_groups']],
    ],
    [
      'a page that a record names',
      { page: { containing: { id: 1 }, size: 1 } },
      [['/page/containing', 'invalid_groups']],
    ],
    [
      'aggregates and a filter without groups',
      { query_groups: undefined },
      [
        ['/query_aggregates', 'invalid_groups'],
        ['/query_group_filter', 'invalid_groups'],
      ],
    ],
    [
      'a filter of groups that is none',
      { query_group_filter: { and: [] } },
      [['/query_group_filter/and', 'invalid_filter']],
    ],
  ])('says where they are: %s', (_title, members, errors) => {
    expect(errorsIn(members)).toEqual(errors);
  });
});
