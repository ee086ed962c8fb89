import { readExportRequest, readFacetsRequest, readQueryRequest } from '@proj/contract';
import { expect, it } from 'vitest';

import { suggestMembers } from './suggest-member.ts';

const READ = { query: readQueryRequest, export: readExportRequest, facets: readFacetsRequest };

function meantIn(kind: keyof typeof READ, body: object): (string | undefined)[] {
  const reading = suggestMembers(READ[kind](body), kind);
  if (reading.ok) return [];
  return reading.errors.flatMap((error) =>
    error.code === 'unknown_member' ? [error.did_you_mean] : [],
  );
}

it.each([
  ['query', 'filter', 'query_filter'],
  ['query', 'sort', 'query_sort'],
  ['query', 'attributes', 'query_attributes'],
  ['query', 'model', 'query_model'],
  ['query', 'total', 'query_total'],
  ['query', 'query_atributes', 'query_attributes'],
  ['export', 'filter', 'query_filter'],
  ['facets', 'facets', 'query_facets'],
  ['facets', 'query_facet', 'query_facets'],
  ['query', 'facets', undefined],
  ['query', 'toString', undefined],
] as const)('a %s with the member "%s" gets an error that suggests %j', (kind, name, meant) => {
  expect(meantIn(kind, { [name]: 1 })).toEqual([meant]);
});

it('errors of members of pages, sorts and facets suggest the ones that were meant', () => {
  const page = { page: 1, sice: 1 };
  const query_sort = [{ attribute: 'id' }, { attribute: 'name', directoin: 'asc' }];
  expect(meantIn('query', { page, query_sort })).toEqual(['size', 'direction']);
  const misspelt = ['/query_sort/10/directoin', '/query_related/10/filter/opp'];
  const errors = misspelt.map(
    (pointer) => ({ pointer, code: 'unknown_member', detail: '' }) as const,
  );
  expect(suggestMembers({ ok: false, errors }, 'query')).toMatchObject({
    errors: [{ did_you_mean: 'direction' }, { did_you_mean: 'op' }],
  });
  const query_facets = [
    { attribute: 'id', bin: 2 },
    { attribute: 'id', value: 2 },
  ];
  expect(meantIn('facets', { query_facets })).toEqual(['bins', 'values']);
});

it.each([
  ['operator', { attribute: 'id', operator: 'eq', value: 1 }, 'op'],
  ['field', { field: 'id', op: 'eq', value: 1 }, 'attribute'],
  ['column', { column: 'id', op: 'eq', value: 1 }, 'attribute'],
])('a filter with the member "%s" gets one error, which suggests another', (name, leaf, meant) => {
  const query_filter = { and: [leaf] };
  const body = { query_model: 'm', query_attributes: ['id'], page: { page: 1, size: 1 } };
  expect(suggestMembers(readQueryRequest({ ...body, query_filter }), 'query')).toMatchObject({
    errors: [
      {
        pointer: `/query_filter/and/0/${name}`,
        code: 'unknown_member',
        did_you_mean: meant,
      },
    ],
  });
});

it('errors of a comparison beside "related" suggest nothing: its names are right', () => {
  const query_filter = { related: 'orders', attribute: 'amount', op: 'gt', value: 1 };
  expect(meantIn('query', { query_filter })).toEqual([undefined, undefined, undefined]);
});
