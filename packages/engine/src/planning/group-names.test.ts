import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import { asComputed, COUNT, planAggregate } from './group-names.ts';
import { planQuery } from './plan.ts';

const TABLE = tableOf('notes', [
  columnOf('id', 'int64', false),
  columnOf('word'),
  columnOf('tags', 'json'),
  columnOf('day', 'date'),
  columnOf('at', 'timestamp_tz'),
]);

function errorsOf(members: object): unknown {
  const body = {
    query_model: 'notes',
    query_attributes: ['word'],
    query_groups: ['word'],
    page: { page: 1, size: 10 },
    ...members,
  };
  const planning = planQuery(body, catalogueOf(TABLE), EVERYTHING);
  return planning.ok ? [] : planning.errors.map(({ pointer, code }) => [pointer, code]);
}

const sum = { name: 'total', op: 'sum', attribute: 'id' };

describe('the names of a list of groups', () => {
  it.each<[string, object, [string, string][]]>([
    [
      'a group that is no attribute',
      { query_groups: ['wort'], query_attributes: ['wort'] },
      [['/query_groups/0', 'unknown_attribute']],
    ],
    [
      'an attribute that is neither grouped by nor an aggregate',
      { query_attributes: ['id'] },
      [['/query_attributes/0', 'unknown_attribute']],
    ],
    [
      'a sort by another attribute',
      { query_sort: [{ attribute: 'id' }] },
      [['/query_sort/0/attribute', 'unknown_attribute']],
    ],
    [
      'a filter of groups by another attribute',
      { query_group_filter: { attribute: 'id', op: 'eq', value: 1 } },
      [['/query_group_filter/attribute', 'unknown_attribute']],
    ],
    [
      'a filter of groups by what refers to them',
      { query_group_filter: { related: 'notes', some: {} } },
      [['/query_group_filter/related', 'unknown_attribute']],
    ],
    [
      'a group of values without equality',
      { query_groups: ['word', 'tags'] },
      [['/query_groups/1', 'not_groupable']],
    ],
    [
      'a part of time of a text',
      { query_groups: ['word', { attribute: 'id', by: 'day' }] },
      [['/query_groups/1/by', 'not_groupable']],
    ],
    [
      'the hours of days',
      { query_groups: ['word', { attribute: 'day', by: 'hour' }] },
      [['/query_groups/1/by', 'not_groupable']],
    ],
    [
      'a sum of texts',
      { query_aggregates: [{ ...sum, attribute: 'word' }] },
      [['/query_aggregates/0/op', 'not_groupable']],
    ],
    [
      'an aggregate of no attribute of the model',
      { query_aggregates: [{ ...sum, attribute: 'nothing' }] },
      [['/query_aggregates/0/attribute', 'unknown_attribute']],
    ],
  ])('are checked: %s', (_title, members, errors) => {
    expect(errorsOf(members)).toEqual(errors);
  });

  it('have the types of what they mean', () => {
    const { attributes } = anyPlanOf({
      query_attributes: ['at.day', 'at.hour', 'n', 'average', 'last'],
      query_groups: ['day', 'hour'].map((by) => ({ attribute: 'at', by })),
      query_aggregates: [
        { name: 'n', op: 'count' },
        { name: 'average', op: 'average', attribute: 'size' },
        { name: 'last', op: 'max', attribute: 'word' },
      ],
    });
    expect(attributes.map(({ name, type }) => [name, type])).toEqual([
      ['at.day', 'date'],
      ['at.hour', 'timestamp'],
      ['n', 'int64'],
      ['average', 'decimal'],
      ['last', 'text'],
    ]);
  });

  it.each([
    ['count', 'text', 'text', 'bigint'],
    ['count_distinct', 'int64', 'bigint', 'bigint'],
    ['max', 'decimal', 'decimal(10,2)', 'decimal(10,2)'],
    ['sum', 'decimal', 'decimal(10,2)', 'decimal(65,2)'],
    ['average', 'decimal', 'numeric(20, 12)', 'decimal(65,12)'],
    ['sum', 'int32', 'my numeric(5,2)', 'decimal(65,0)'],
    ['average', 'float64', 'decimal(5,2)', 'double precision'],
  ] as const)('give the %s of %s (%s) as %s', (op, type, databaseType, shown) => {
    const table = tableOf('notes', [
      columnOf('id', 'int64', false),
      columnOf('word'),
      { ...columnOf('a', type), databaseType },
    ]);
    const aggregates = [{ name: 'n', op, attribute: 'a' }];
    const members = {
      query_attributes: ['n'],
      query_groups: ['word'],
      query_aggregates: aggregates,
    };
    const [attribute] = anyPlanOf(members, EVERYTHING, catalogueOf(table)).attributes;
    const facts = { name: 'n', column: 'a0', nullable: true, databaseType: shown };
    expect(attribute).toMatchObject(facts);
    expect(attribute?.aggregate).toBe(op === 'sum' || op === 'average' ? op : undefined);
  });

  it('are sorted by the values of the groups, of which NULL is the last', () => {
    const { order, rows } = anyPlanOf({
      query_attributes: ['word'],
      query_groups: ['word', 'id'],
      query_aggregates: [{ name: 'n', op: 'max', attribute: 'rank' }],
    });
    const by = { direction: 'asc', nulls: 'last', nullable: true };
    const columns = ['v0', 'v1', 'g0', 'g1'];
    expect(order).toEqual(columns.map((column) => ({ column, ...by })));
    expect(rows).toMatchObject({ aggregates: [{ op: 'max', attribute: { name: 'rank' } }] });
  });

  it('show stored dates as they are compared', () => {
    const attribute = { ...COUNT, type: 'date', storedAs: 'text' } as const;
    const names = { resolve: () => ({ attribute }) };
    const shownBy = (op: 'min' | 'max') => planAggregate({ op, attribute: 'day' }, names, '');
    const shown = { ...attribute, storedAs: 'compared' };
    expect([shownBy('min'), shownBy('max')]).toMatchObject([{ shown }, { shown }]);
    expect(asComputed(COUNT)).toEqual(COUNT);
    expect(planAggregate({ op: 'count' }, names, '')).toEqual({ shown: COUNT });
    expect(planAggregate({ op: 'sum' }, names, '')).toBeUndefined();
  });
});
