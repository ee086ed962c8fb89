import type { Filter } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, NOTES, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING } from '../catalogue/grant.ts';
import { plainNames } from './resolved-name.ts';
import { PlannedFilter } from './plan-filter.ts';

const EVENTS = tableOf('events', [...NOTES.columns, columnOf('extra', 'json')]);
const model = catalogueOf(EVENTS).get('events');

function plan(filter: unknown): PlannedFilter {
  if (model === undefined) throw new Error('There is no such model.');
  return new PlannedFilter(filter as Filter, plainNames(model));
}

const GOOD = { attribute: 'rank', op: 'eq', value: 1 };
const BAD = { attribute: 'rank', op: 'eq', value: 'one' };

describe('a filter that fits its model', () => {
  it.each<[unknown, unknown]>([
    [GOOD, { attribute: { name: 'rank' }, op: 'eq', values: [1n] }],
    [
      { ...GOOD, op: 'in', value: [1, '2'] },
      { op: 'in', values: [1n, 2n] },
    ],
    [
      { ...GOOD, op: 'between', value: [1, 2] },
      { op: 'between', values: [1n, 2n] },
    ],
    [
      { ...GOOD, op: 'is_null', value: true },
      { op: 'is_null', values: [true] },
    ],
    [
      { ...GOOD, op: 'is_null', value: false },
      { op: 'is_null', values: [false] },
    ],
    [
      { ...GOOD, op: 'is_distinct', value: null },
      { op: 'is_distinct', values: [null] },
    ],
    [
      { ...GOOD, op: 'is_distinct', value: 1 },
      { op: 'is_distinct', values: [1n] },
    ],
    [{ not: GOOD }, { not: { values: [1n] } }],
    [{ and: [GOOD, { or: [GOOD] }] }, { and: [{ values: [1n] }, { or: [{ values: [1n] }] }] }],
  ])('%j is a condition without errors', (filter, condition) => {
    const planning = plan(filter);
    expect(planning.errors).toEqual([]);
    expect(planning.condition).toMatchObject(condition as object);
  });
});

const EXPECTED = 'expected a whole number.';

describe('a filter that does not fit its model', () => {
  it.each<[unknown, [string, string, string][]]>([
    [BAD, [['/query_filter/value', 'invalid_value', `/query_filter/value: ${EXPECTED}`]]],
    [
      { not: BAD },
      [['/query_filter/not/value', 'invalid_value', `/query_filter/not/value: ${EXPECTED}`]],
    ],
    [
      { ...GOOD, op: 'in', value: [1, 'x', 'y'] },
      [
        ['/query_filter/value/1', 'invalid_value', `/query_filter/value/1: ${EXPECTED}`],
        ['/query_filter/value/2', 'invalid_value', `/query_filter/value/2: ${EXPECTED}`],
      ],
    ],
    [
      { ...GOOD, op: 'between', value: ['x', 2] },
      [['/query_filter/value/0', 'invalid_value', `/query_filter/value/0: ${EXPECTED}`]],
    ],
    [
      { ...GOOD, value: null },
      [['/query_filter/value', 'invalid_value', `/query_filter/value: ${EXPECTED}`]],
    ],
    [
      { ...GOOD, value: [1, 2] },
      [['/query_filter/value', 'invalid_value', `/query_filter/value: ${EXPECTED}`]],
    ],
    [
      { ...GOOD, op: 'is_null', value: 1 },
      [['/query_filter/value', 'invalid_value', '/query_filter/value: expected true or false.']],
    ],
    [
      { attribute: 'extra', op: 'eq', value: 'a' },
      [
        [
          '/query_filter/op',
          'operator_not_applicable',
          'extra is json; it takes is_null, has, has_any, has_all.',
        ],
      ],
    ],
    [
      { ...GOOD, op: 'contains', value: 'x' },
      [
        [
          '/query_filter/op',
          'operator_not_applicable',
          'rank is int32; it takes eq, ne, lt, lte, gt, gte, in, not_in, between, is_null, is_distinct.',
        ],
      ],
    ],
    [
      { attribute: 'gone', op: 'eq', value: 1 },
      [['/query_filter/attribute', 'unknown_attribute', '"events" has no attribute named "gone".']],
    ],
    [
      { and: [GOOD, BAD, { or: [BAD] }] },
      [
        ['/query_filter/and/1/value', 'invalid_value', `/query_filter/and/1/value: ${EXPECTED}`],
        [
          '/query_filter/and/2/or/0/value',
          'invalid_value',
          `/query_filter/and/2/or/0/value: ${EXPECTED}`,
        ],
      ],
    ],
  ])('%j has an error for each part that does not', (filter, errors) => {
    const found = plan(filter).errors.map(({ pointer, code, detail }) => [pointer, code, detail]);
    expect(found).toEqual(errors);
  });

  it.each([BAD, { not: BAD }, { ...GOOD, op: 'in', value: [1, 'x'] }, { and: [BAD, GOOD] }])(
    '%j has no condition, and who takes it for one fails',
    (filter) => {
      expect(() => plan(filter).condition).toThrow('The errors of a filter are to be reported.');
    },
  );
});

it('asks whether some or no records refer to a record, with or without a filter of theirs', () => {
  const catalogue = catalogueOf({
    ...tableOf('staff', [columnOf('id', 'int64', false), columnOf('boss_id', 'int64')]),
    uniqueKeys: [[{ column: 'id' }]],
    foreignKeys: [{ columns: ['boss_id'], relation: ['staff'], key: ['id'] }],
  });
  const conditionOf = (filter: object) => {
    const members = { query_model: 'staff', query_attributes: ['id'] };
    const query_filter = { related: 'staff', ...filter };
    return anyPlanOf({ ...members, query_filter }, EVERYTHING, catalogue).condition;
  };
  const condition = { op: 'eq', values: [1n] };
  const leaf = { attribute: 'boss.id', op: 'eq', value: 1 };
  expect([{ some: {} }, { none: {} }, { some: leaf }].map(conditionOf)).toMatchObject([
    { referred: { isThere: true, joins: [], condition: undefined } },
    { referred: { isThere: false, joins: [], condition: undefined } },
    { referred: { isThere: true, joins: [{ path: ['boss'] }], condition } },
  ]);
});
