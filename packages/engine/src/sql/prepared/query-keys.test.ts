import { describe, expect, it } from 'vitest';

import { anyPlanOf, planOf } from '../../../test/unit/models.ts';
import { tableRows } from '../../planning/list-rows.ts';
import { keysOf } from './query-keys.ts';

function totalKeyOf(attribute: string, op: string, value: unknown): string {
  return keysOf(planOf({ query_filter: { attribute, op, value } })).totalKey;
}

describe('the key of a total', () => {
  it('differs where the rows are of another relation', () => {
    const plan = planOf();
    const moved = tableRows({ ...plan.rows.model, path: ['archive', 'notes'] });
    const keys = [plan, { ...plan, ...moved }].map(keysOf);
    for (const kind of ['totalKey', 'orderKey', 'key'] as const)
      expect(new Set(keys.map((each) => each[kind])).size).toBe(2);
  });

  it.each([
    ['word', 'is_distinct', null, 'null'],
    ['word', 'in', ['a,b'], ['a', 'b']],
    ['word', 'eq', 'a', 'b'],
    ['id', 'eq', 1, '-1'],
    ['size', 'eq', 'NaN', 'Infinity'],
    ['size', 'is_distinct', null, 0],
  ])('differs where %s %s %j or %j', (attribute, op, one, other) => {
    expect(totalKeyOf(attribute, op, one)).not.toBe(totalKeyOf(attribute, op, other));
  });

  it('differs where the operator differs', () => {
    expect(totalKeyOf('word', 'eq', 'a')).not.toBe(totalKeyOf('word', 'ne', 'a'));
  });

  it('differs where the attribute differs', () => {
    expect(totalKeyOf('id', 'eq', 1)).not.toBe(totalKeyOf('rank', 'eq', 1));
  });

  it('is the same where a number is written in two ways', () => {
    expect(totalKeyOf('id', 'eq', 7)).toBe(totalKeyOf('id', 'eq', '7'));
  });

  it('differs for and, or and not of the same comparison', () => {
    const leaf = { attribute: 'word', op: 'eq', value: 'a' };
    const filters = [{ and: [leaf] }, { or: [leaf] }, { not: leaf }, leaf, undefined];
    const keys = filters.map((query_filter) =>
      keysOf(planOf(query_filter === undefined ? {} : { query_filter })),
    );
    expect(new Set(keys.map((each) => each.totalKey)).size).toBe(5);
  });

  it.each([
    ['not', (leaf: object) => ({ not: leaf })],
    ['and', (leaf: object) => ({ and: [leaf] })],
    ['or', (leaf: object) => ({ or: [leaf] })],
  ])('differs where a comparison in "%s" differs', (_group, group) => {
    const [one, other] = ['a', 'b'].map((value) =>
      keysOf(planOf({ query_filter: group({ attribute: 'word', op: 'eq', value }) })),
    );
    expect(one?.totalKey).not.toBe(other?.totalKey);
  });

  it('differs where a comparison moves from one group to another', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value) => ({ attribute: 'word', op: 'eq', value }));
    const one = { or: [{ and: [a, b] }, { and: [c] }] };
    const other = { or: [{ and: [a] }, { and: [b, c] }] };
    const [first, second] = [one, other].map((query_filter) => keysOf(planOf({ query_filter })));
    expect(first?.totalKey).not.toBe(second?.totalKey);
  });
});

describe('the keys of lists of the same records', () => {
  const plain = keysOf(planOf());

  it.each([
    ['another column', { query_sort: [{ attribute: 'word' }] }],
    ['another direction', { query_sort: [{ attribute: 'word', direction: 'desc' }] }],
    ['NULL elsewhere', { query_sort: [{ attribute: 'word', nulls: 'first' }] }],
  ])('share the total and no page index in the order of %s', (_what, members) => {
    const sorted = keysOf(planOf(members));
    expect(sorted.totalKey).toBe(plain.totalKey);
    const base = keysOf(planOf({ query_sort: [{ attribute: 'rank' }] }));
    expect(new Set([sorted.orderKey, plain.orderKey, base.orderKey]).size).toBe(3);
  });

  it('differ in each of the ways to order by one column', () => {
    const orders = [{}, { direction: 'desc' }, { nulls: 'first' }].map(
      (terms) => keysOf(planOf({ query_sort: [{ attribute: 'word', ...terms }] })).orderKey,
    );
    expect(new Set(orders).size).toBe(3);
  });

  it('differ where one column is ordered as two types', () => {
    const { order, ...plan } = planOf();
    const [term] = order;
    if (term === undefined) throw new Error('A list has an order.');
    const field = { name: 'at', column: 'id', items: undefined, databaseType: '' };
    const keys = [
      undefined,
      { ...field, type: 'date' as const, storedAs: 'text' as const },
      { ...field, type: 'timestamp' as const, storedAs: 'text' as const },
      { ...field, type: 'date' as const, storedAs: 'julian_day' as const },
    ].map((as) => keysOf({ ...plan, order: [as === undefined ? term : { ...term, field: as }] }));
    expect(new Set(keys.map(({ orderKey }) => orderKey)).size).toBe(4);
  });

  it('share total and page index with other attributes, whose order distinguishes the lists', () => {
    const [one, other] = [
      ['word', 'id'],
      ['id', 'word'],
    ].map((query_attributes) => keysOf(planOf({ query_attributes })));
    expect(one).toMatchObject({ totalKey: plain.totalKey, orderKey: plain.orderKey });
    expect(other?.orderKey).toBe(plain.orderKey);
    expect(new Set([one?.key, other?.key, plain.key]).size).toBe(3);
  });
});

it('keys are hashes, however long the condition is', () => {
  const query_filter = { attribute: 'word', op: 'eq', value: 'x'.repeat(1000) };
  const { totalKey, orderKey, key } = keysOf(planOf({ query_filter }));
  for (const each of [totalKey, orderKey, key]) expect(each).toMatch(/^[\w-]{43}$/);
});

it('the estimate of memory grows with the condition and with each attribute', () => {
  const { bytes } = keysOf(planOf());
  expect(keysOf(planOf({ query_attributes: ['word', 'id'] })).bytes).toBe(bytes + 1000);
  const long = { attribute: 'word', op: 'eq', value: 'x'.repeat(1000) };
  expect(keysOf(planOf({ query_filter: long })).bytes).toBeGreaterThan(bytes + 5000);
});

describe('the keys of groups', () => {
  const members = {
    query_attributes: ['n', 'word'],
    query_groups: ['word'],
    query_aggregates: [{ name: 'n', op: 'count' }],
  };
  const keys = (changes: object) => keysOf(anyPlanOf({ ...members, ...changes }));

  it.each<[string, object]>([
    ['which records are grouped', { query_filter: { attribute: 'rank', op: 'eq', value: 1 } }],
    ['which groups are kept', { query_group_filter: { attribute: 'n', op: 'gt', value: 1 } }],
    ['what is grouped by', { query_groups: ['word', 'rank'] }],
    ['what an aggregate is', { query_aggregates: [{ name: 'n', op: 'max', attribute: 'rank' }] }],
  ])('differ by %s', (_title, changes) => {
    for (const kind of ['totalKey', 'orderKey', 'key'] as const)
      expect(keys(changes)[kind]).not.toBe(keys({})[kind]);
  });

  it('differ where the names of two aggregates are exchanged', () => {
    const aggregates = [{ op: 'count' }, { op: 'max', attribute: 'rank' }];
    const named = (...names: string[]) =>
      keys({
        query_aggregates: aggregates.map((one, index) => ({ ...one, name: names[index] })),
        query_attributes: ['a', 'b'],
      });
    expect(named('a', 'b').key).not.toBe(named('b', 'a').key);
  });

  it('are no keys of the records', () => {
    expect(keys({}).totalKey).not.toBe(keysOf(planOf()).totalKey);
  });
});
