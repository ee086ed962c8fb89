import type { AttributeEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { CITIES } from '../cities-model.test-data.ts';
import { allOf } from '../filter/filter-tree.ts';
import { FIRST_VIEW, type GroupView } from '../view-state.ts';
import { clientGroups, groupsQuery } from './groups-query.ts';

const GROUP: GroupView = {
  by: [{ attribute: 'name', unit: null }],
  compute: [
    { operation: 'count', attribute: null },
    { operation: 'sum', attribute: 'population' },
  ],
  filter: FIRST_VIEW.filter,
  sort: [],
  picture: null,
};
const queryOf = (changes: Partial<GroupView> = {}) =>
  groupsQuery({ ...FIRST_VIEW, model: 'cities', size: 20 }, CITIES, { ...GROUP, ...changes });

it('a view asks for all members of its groups, the largest first', () => {
  expect(queryOf()).toEqual({
    model: 'cities',
    attributes: ['name', 'count', 'sum_population'],
    page: 1,
    size: 20,
    sort: [{ attribute: 'count', direction: 'desc', nulls: 'last' }],
    groups: {
      by: ['name'],
      aggregates: {
        count: { op: 'count' },
        sum_population: { op: 'sum', attribute: 'population' },
      },
    },
  });
});

it('groups by a part of time are in its order, and any in the order that the view says', () => {
  const by = [{ attribute: 'name', unit: 'month' }] as const;
  expect(queryOf({ by }).attributes[0]).toBe('name.month');
  expect(queryOf({ by })).not.toHaveProperty('sort');
  const sort = [{ attribute: 'name.month', direction: 'desc' }] as const;
  expect(queryOf({ by, sort }).sort).toEqual(sort);
});

it('groups by local days of a time zone ask for those', () => {
  const [name, ...others] = CITIES.attributes;
  const at = { ...name, name: 'at', type: 'timestamp_tz' } as AttributeEntry;
  const model = { ...CITIES, attributes: [at, ...others] };
  const view = { ...FIRST_VIEW, model: 'cities', zone: 'Europe/Paris' };
  const by = ['at', 'population'].map((attribute) => ({ attribute, unit: 'day' }) as const);
  expect(groupsQuery(view, model, { ...GROUP, by }).groups.by).toEqual([
    { attribute: 'at', by: 'day', time_zone: 'Europe/Paris' },
    { attribute: 'population', by: 'day' },
  ]);
});

it('what is computed of groups has a name that no group attribute has', () => {
  const by = [{ attribute: 'count', unit: null }] as const;
  expect(queryOf({ by }).attributes).toEqual(['count', 'count_2', 'sum_population']);
});

it('conditions on groups compare their members as what these are', () => {
  const filter = allOf(
    { attribute: 'sum_population', operator: 'gt', operands: ['1000'] },
    { attribute: 'count', operator: 'not_null', operands: [] },
  );
  const kept = {
    and: [
      { attribute: 'sum_population', op: 'gt', value: '1000' },
      { attribute: 'count', op: 'is_null', value: false },
    ],
  };
  expect(queryOf({ filter }).groups.filter).toEqual(kept);
  expect(clientGroups(queryOf({ filter }))).toMatchObject({ groupFilter: kept });
});

it('groups are asked for in the words of the SDK too', () => {
  expect(clientGroups(queryOf())).toEqual({
    model: 'cities',
    by: ['name'],
    aggregates: queryOf().groups.aggregates,
    size: 20,
    sort: queryOf().sort,
  });
});
