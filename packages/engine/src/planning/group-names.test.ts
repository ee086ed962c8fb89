import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
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

  it('make a list whose changes no change feed describes', () => {
    const { facts, rows } = anyPlanOf({ query_attributes: ['word'], query_groups: ['word'] });
    expect(facts.followable).toBeUndefined();
    expect(rows).toMatchObject({ kind: 'groups', groups: [{ name: 'word', by: undefined }] });
  });
});
