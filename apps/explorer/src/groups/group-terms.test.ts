import { expect, it } from 'vitest';

import { CITIES } from '../state/cities-model.test-data.ts';
import { allOf } from '../state/filter/filter-tree.ts';
import { computeName } from '../state/view/groups-query.ts';
import type { GroupView } from '../state/view-state.ts';
import { drawableTerms, drawnTerm, isInTime, sortedByMember, withTerms } from './group-terms.ts';

const GROUP: GroupView = {
  by: [{ attribute: 'name', unit: null }],
  compute: [
    { operation: 'max', attribute: 'name' },
    { operation: 'count', attribute: null },
    { operation: 'sum', attribute: 'area' },
  ],
  filter: allOf(
    { attribute: 'count', operator: 'gt', operands: ['1'] },
    { attribute: 'sum_area', operator: 'gt', operands: ['2'] },
  ),
  sort: [{ attribute: 'sum_area', direction: 'asc' }],
  picture: 'sum_area',
};
const turned = (group: GroupView, name: string) => sortedByMember(group, name)[0]?.direction;
const founded = { attribute: 'founded', unit: 'month' } as const;

it('groups with other terms lose conditions, order and picture of what is no longer there', () => {
  const by = [founded];
  expect(withTerms(GROUP, { by })).toEqual({ ...GROUP, by });
  expect(withTerms(GROUP, { by: [founded, founded] }).by).toEqual(by);
  const compute = GROUP.compute.slice(0, 2);
  const filter = { ...GROUP.filter, parts: GROUP.filter.parts.slice(0, 1) };
  expect(withTerms(GROUP, { compute })).toEqual({
    ...GROUP,
    compute,
    filter,
    sort: [],
    picture: null,
  });
});

it('terms whose names would be equal are both there, and the same term once', () => {
  const [flat, path] = ['customer_id', 'customer.id'].map(
    (attribute) => ({ operation: 'count_distinct', attribute }) as const,
  );
  const compute = flat && path ? [flat, path] : [];
  const sort = [{ attribute: 'distinct_customer_id_2', direction: 'asc' }] as const;
  const next = withTerms({ ...GROUP, sort }, { compute: [...compute, ...compute] });
  expect(next).toMatchObject({ compute, sort });
  expect(compute.map((term) => computeName(term, next))).toEqual([
    'distinct_customer_id',
    'distinct_customer_id_2',
  ]);
});

it('a click on a head sorts numbers from the largest, groups from the first, and turns an order', () => {
  expect(turned(GROUP, 'count')).toBe('desc');
  expect(turned(GROUP, 'name')).toBe('asc');
  expect(turned(GROUP, 'sum_area')).toBe('desc');
  expect(turned({ ...GROUP, sort: [] }, 'max_name')).toBe('asc');
});

it('numbers that are computed can be drawn, the first of them unless the view says another', () => {
  const [max, count, sum] = GROUP.compute;
  expect(drawableTerms(GROUP, CITIES)).toEqual([count, sum]);
  expect(drawnTerm(GROUP, CITIES)).toBe(sum);
  expect(drawnTerm({ ...GROUP, picture: 'max_name' }, CITIES)).toBe(count);
  expect(drawnTerm({ ...GROUP, compute: max ? [max] : [] }, CITIES)).toBeUndefined();
});

it('groups by one part of time are in time unless they are sorted by something else', () => {
  expect(isInTime({ ...GROUP, by: [founded], sort: [] })).toBe(true);
  const sort = [{ attribute: 'founded.month', direction: 'desc' }] as const;
  expect(isInTime({ ...GROUP, by: [founded], sort })).toBe(true);
  expect(isInTime({ ...GROUP, by: [founded] })).toBe(false);
  expect(isInTime({ ...GROUP, sort: [] })).toBe(false);
  expect(isInTime({ ...GROUP, by: [founded, ...GROUP.by], sort: [] })).toBe(false);
});
