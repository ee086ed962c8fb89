import { operatorsOf, type WireType } from '@proj/contract';
import { expect, it } from 'vitest';

import { agFilter } from '../ag-grid/filter.ts';
import { setFilterValues } from '../ag-grid/set-filter-values.ts';
import { refineFilter } from '../refine/filter.ts';
import { autoFilterFn, FILTER_FNS } from '../tanstack-table/filter-fns.ts';
import { Columns } from './columns.ts';

const attribute = (name: string, type: WireType, items?: WireType) => ({
  name,
  type,
  ...(items && { items }),
  nullable: true,
  description: null,
  operators: operatorsOf(type),
  sortable: false,
});

const columns = new Columns(
  {
    name: 'cities',
    description: null,
    attributes: [
      attribute('tags', 'array', 'text'),
      attribute('years', 'array', 'int32'),
      attribute('meta', 'json'),
    ],
    key: [],
    default_sort: [],
    max_page_size: 100,
  },
  { grid: 'A grid', caseSensitive: false },
);

const isNull = (name: string) => ({ attribute: name, op: 'is_null', value: true });

it.each([
  [{ tags: ['Port', 'old'] }, { attribute: 'tags', op: 'has_any', value: ['Port', 'old'] }],
  [{ years: ['1900'] }, { attribute: 'years', op: 'has_any', value: ['1900'] }],
  [{ meta: ['true'] }, { attribute: 'meta', op: 'has_any', value: ['true'] }],
  [{ tags: [null] }, isNull('tags')],
  [
    { tags: ['old', null] },
    { or: [{ attribute: 'tags', op: 'has_any', value: ['old'] }, isNull('tags')] },
  ],
])('a set filter of AG Grid finds elements of arrays: %j', (chosen, filter) => {
  const model = Object.fromEntries(
    Object.entries(chosen).map(([name, values]) => [name, { filterType: 'set', values }]),
  );
  const found = agFilter(columns, model, (name) => ({ attribute: name, params: {} }));
  expect(found).toEqual(filter);
});

it('a set filter of AG Grid offers the elements of arrays once each', async () => {
  const values = [['b', 'a'], [], [['a'], ['c']], ['a', null]].map((value) => ({
    value,
    count: 1n,
  }));
  const client = { facets: async () => ({ facets: [{ values, nulls: 1n, distinct: 4n }] }) };
  const offered = await new Promise((success) => {
    setFilterValues(client, { model: 'cities' })({ colDef: { field: 'tags' }, success });
  });
  expect(offered).toEqual(['b', 'a', 'c', null]);
});

it('filters of Refine and TanStack Table find elements of arrays', () => {
  const all = { attribute: 'tags', op: 'has_all', value: ['a', 'b'] };
  const any = { ...all, op: 'has_any' };
  const mapped = columns.condition('tags', 'a condition');
  const ina = { field: 'tags', operator: 'ina', value: ['a', 'b'] };
  expect(refineFilter(columns, [ina])).toEqual(all);
  expect(refineFilter(columns, [{ ...ina, operator: 'nina' }])).toEqual({
    or: [{ not: all }, isNull('tags')],
  });
  expect(FILTER_FNS.arrIncludes(mapped, ['a', 'b'])).toEqual(any);
  expect(FILTER_FNS.arrIncludesSome(mapped, ['a', 'b'])).toEqual(any);
  expect(FILTER_FNS.arrIncludesAll(mapped, ['a', 'b'])).toEqual(all);
  expect(FILTER_FNS.arrIncludesSome(mapped, [])).toEqual(mapped.nothing());
  expect(FILTER_FNS.arrIncludesAll(mapped, [])).toEqual(mapped.isNotNull());
  expect(autoFilterFn(mapped)).toBe('arrIncludes');
});
