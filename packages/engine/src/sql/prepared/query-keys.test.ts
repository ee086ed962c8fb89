import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, planOf, tableOf } from '../../../test/unit/models.ts';
import { EVERYTHING, Grant, type ModelGrant } from '../../catalogue/grant.ts';
import type { Catalogue, Model, ModelColumn } from '../../catalogue/model.ts';
import type { Selection } from '../../catalogue/relation.ts';
import type { Plan } from '../../planning/plan.ts';
import { tableRows } from '../../planning/list-rows.ts';
import { QueryKeys } from './query-keys.ts';

function totalKeyOf(attribute: string, op: string, value: unknown): string {
  return new QueryKeys(planOf({ query_filter: { attribute, op, value } })).totalKey;
}

describe('the key of a total', () => {
  it('differs where the rows are of another relation', () => {
    const plan = planOf();
    const moved = tableRows({ ...plan.rows.model, path: ['archive', 'notes'] });
    const keys = [plan, { ...plan, ...moved }].map((one) => new QueryKeys(one));
    for (const kind of ['totalKey', 'orderKey', 'key'] as const)
      expect(new Set(keys.map((each) => each[kind])).size).toBe(2);
  });

  it('is the same where a number is written in two ways', () => {
    expect(totalKeyOf('id', 'eq', 7)).toBe(totalKeyOf('id', 'eq', '7'));
  });

  it.each([
    ['not', (leaf: object) => ({ not: leaf })],
    ['and', (leaf: object) => ({ and: [leaf] })],
    ['or', (leaf: object) => ({ or: [leaf] })],
  ])('differs where a comparison in "%s" differs', (_group, group) => {
    const [one, other] = ['a', 'b'].map(
      (value) =>
        new QueryKeys(planOf({ query_filter: group({ attribute: 'word', op: 'eq', value }) })),
    );
    expect(one?.totalKey).not.toBe(other?.totalKey);
  });
});

describe('the keys of lists of the same records', () => {
  const plain = new QueryKeys(planOf());

  it.each([
    ['another column', { query_sort: [{ attribute: 'word' }] }],
    ['another direction', { query_sort: [{ attribute: 'word', direction: 'desc' }] }],
    ['NULL elsewhere', { query_sort: [{ attribute: 'word', nulls: 'first' }] }],
  ])('share the total and no page index in the order of %s', (_what, members) => {
    const sorted = new QueryKeys(planOf(members));
    expect(sorted.totalKey).toBe(plain.totalKey);
    const base = new QueryKeys(planOf({ query_sort: [{ attribute: 'rank' }] }));
    expect(new Set([sorted.orderKey, plain.orderKey, base.orderKey]).size).toBe(3);
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
    ].map(
      (as) => new QueryKeys({ ...plan, order: [as === undefined ? term : { ...term, field: as }] }),
    );
    expect(new Set(keys.map(({ orderKey }) => orderKey)).size).toBe(4);
  });
});

it('keys are hashes, however long the condition is', () => {
  const query_filter = { attribute: 'word', op: 'eq', value: 'x'.repeat(1000) };
  const { totalKey, orderKey, key } = new QueryKeys(planOf({ query_filter }));
  for (const each of [totalKey, orderKey, key]) expect(each).toMatch(/^[\w-]{43}$/);
});

describe('the keys of groups', () => {
  const members = {
    query_attributes: ['n', 'word'],
    query_groups: ['word'],
    query_aggregates: [{ name: 'n', op: 'count' }],
  };
  const keys = (changes: object) => new QueryKeys(anyPlanOf({ ...members, ...changes }));

  it.each<[string, object]>([
    ['which records are grouped', { query_filter: { attribute: 'rank', op: 'eq', value: 1 } }],
    ['which groups are kept', { query_group_filter: { attribute: 'n', op: 'gt', value: 1 } }],
    ['what is grouped by', { query_groups: ['word', 'rank'] }],
    ['what an aggregate is', { query_aggregates: [{ name: 'n', op: 'max', attribute: 'rank' }] }],
  ])('differ by %s', (_title, changes) => {
    for (const kind of ['totalKey', 'orderKey', 'key'] as const)
      expect(keys(changes)[kind]).not.toBe(keys({})[kind]);
  });
});

const CATALOGUE = catalogueOf(
  {
    ...tableOf('staff', [
      columnOf('id', 'int64', false),
      columnOf('word'),
      columnOf('at', 'timestamp_tz'),
      ...['boss_id', 'mate_id'].map((name) => columnOf(name, 'int64')),
    ]),
    uniqueKeys: [[{ column: 'id' }]],
    foreignKeys: ['boss_id', 'mate_id'].map((column) => ({
      columns: [column],
      relation: ['staff'],
      key: ['id'],
    })),
  },
  {
    ...tableOf('visits', [
      columnOf('id', 'int64', false),
      columnOf('staff_id', 'int64'),
      columnOf('place'),
      columnOf('site_id', 'int64'),
    ]),
    foreignKeys: ['staff', 'site'].map((name) => ({
      columns: [`${name}_id`],
      relation: [name],
      key: ['id'],
    })),
  },
  {
    ...tableOf('site', [columnOf('id', 'int64', false), columnOf('word')]),
    uniqueKeys: [[{ column: 'id' }]],
  },
);

const leaf = (attribute: string, value = 'a') => ({ attribute, op: 'eq', value }) as const;

function staffBy(members: object, grant: Grant = EVERYTHING, catalogue: Catalogue = CATALOGUE) {
  const asked = { query_model: 'staff', query_attributes: ['word'], ...members };
  return anyPlanOf(asked, grant, catalogue);
}

function catalogueWith(changes: Partial<Model>): Catalogue {
  return new Map(
    [...CATALOGUE].map(([name, model]) => [name, { ...model, ...(name === 'staff' && changes) }]),
  );
}

function columnsWith(sql: string): Partial<Model> {
  const column = { computed: { sql, reads: [] } } as unknown as ModelColumn;
  return { columns: new Map([...(CATALOGUE.get('staff')?.columns ?? []), ['one', column]]) };
}

const related = (member: string, filter: object) => ({
  query_filter: { related: 'visits', [member]: filter },
});
const grouped = (group: unknown, aggregate: object = { op: 'count' }) => ({
  query_attributes: ['n'],
  query_groups: [group],
  query_aggregates: [{ name: 'n', ...aggregate }],
});
const policy = (value: string) =>
  new Grant(new Map([['staff', { attributes: 'all', rowPolicy: leaf('word', value) }]]));
const VISITS = { query_model: 'visits', query_attributes: ['id'] };

function sitePolicy(value: string): Grant {
  const all = { attributes: 'all' } as const;
  return new Grant(
    new Map<string, ModelGrant>([
      ['staff', all],
      ['visits', all],
      ['site', { ...all, rowPolicy: leaf('word', value) }],
    ]),
  );
}
const session = (role: string) => ({ session: { role, settings: {}, trusts: [] } });
const selection = (sql: string) => ({ selection: { sql } as unknown as Selection });

it('lists of other records share no total, however they differ', () => {
  const byBoss = { query_filter: leaf('boss.word') };
  const day = { attribute: 'at', by: 'day' };
  const plans: Plan[] = [
    staffBy({}),
    staffBy(byBoss),
    staffBy({ query_filter: leaf('mate.word') }),
    staffBy({ query_filter: leaf('boss.mate.word') }),
    staffBy(related('some', {})),
    staffBy(related('none', {})),
    staffBy(related('some', leaf('place'))),
    staffBy(related('some', leaf('staff.boss.word'))),
    staffBy(related('some', leaf('staff.mate.word'))),
    staffBy(byBoss, policy('a')),
    staffBy(byBoss, policy('b')),
    ...['one', 'other'].flatMap((name) => [
      staffBy({}, EVERYTHING, catalogueWith(selection(name))),
      staffBy(byBoss, EVERYTHING, catalogueWith(selection(name))),
      staffBy(byBoss, EVERYTHING, catalogueWith(columnsWith(name))),
      staffBy(
        { ...VISITS, query_filter: leaf('staff.word') },
        EVERYTHING,
        catalogueWith(selection(name)),
      ),
      staffBy(related('some', leaf('site.word')), sitePolicy(name)),
      { ...staffBy({}), ...session(name) },
      { ...staffBy(byBoss), ...session(name) },
    ]),
    staffBy(grouped('word')),
    staffBy(grouped('id')),
    staffBy(grouped('word', { op: 'max', attribute: 'id' })),
    staffBy(grouped('word', { op: 'max', attribute: 'at' })),
    staffBy({ ...grouped('word'), ...byBoss }),
    staffBy(grouped(day)),
    staffBy(grouped({ ...day, by: 'month' })),
    staffBy(grouped({ ...day, time_zone: 'Asia/Tokyo' })),
    staffBy(grouped('boss.word')),
  ];
  const keys = plans.map((plan) => new QueryKeys(plan).totalKey);
  expect(keys.flatMap((key, index) => (keys.indexOf(key) === index ? [] : index))).toEqual([]);
});

it('lists of the same records share their total, in whatever order their paths are named', () => {
  const query_filter = { and: [leaf('boss.word'), leaf('mate.word')] };
  const [one, other] = [['word'], ['mate.word', 'boss.word']].map(
    (query_attributes) => new QueryKeys(staffBy({ query_attributes, query_filter })),
  );
  expect(one?.totalKey).toBe(other?.totalKey);
  expect(one?.key).not.toBe(other?.key);
  const orders = ['word', 'boss.word', 'mate.word'].map(
    (attribute) => new QueryKeys(staffBy({ query_sort: [{ attribute }] })).orderKey,
  );
  expect(new Set(orders).size).toBe(3);
});

it('lists in the order of other records share no index where others of those are hidden', () => {
  const sorted = { ...VISITS, query_sort: [{ attribute: 'site.word' }] };
  const [one, other] = ['a', 'b'].map((value) => new QueryKeys(staffBy(sorted, sitePolicy(value))));
  expect(one?.totalKey).toBe(other?.totalKey);
  expect(one?.orderKey).not.toBe(other?.orderKey);
});
