import { expect, it } from 'vitest';

import { catalogueOf, columnOf, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING, Grant } from '../catalogue/grant.ts';
import { planQuery } from './plan.ts';

const STAFF = {
  ...tableOf('staff', [
    columnOf('id', 'int64', false),
    columnOf('boss_id', 'int64'),
    columnOf('n'),
  ]),
  uniqueKeys: [[{ column: 'id' }]],
  foreignKeys: [{ columns: ['boss_id'], relation: ['staff'], key: ['id'] }],
};

const CATALOGUE = catalogueOf(STAFF);

const TOO_FAR = 'boss.boss.boss.boss.n';

/** The details of the errors of a request, without where they are. */
function detailsOf(members: object, grant: Grant = EVERYTHING): unknown {
  const body = {
    query_model: 'staff',
    query_attributes: ['n'],
    page: { page: 1, size: 10 },
    ...members,
  };
  const planning = planQuery(body, CATALOGUE, grant);
  return planning.ok ? [] : planning.errors.map(({ code, detail }) => `${code}: ${detail}`);
}

const REFUSAL = `unknown_attribute: "${TOO_FAR}" passes more than 3 relations, the most that a path may.`;

const leaf = (attribute: string): object => ({ attribute, op: 'eq', value: 'x' });

it.each<[string, (path: string) => object]>([
  ['attributes', (path) => ({ query_attributes: [path] })],
  ['a sort', (path) => ({ query_sort: [{ attribute: path }] })],
  ['a filter', (path) => ({ query_filter: leaf(path) })],
  [
    'a filter of related records',
    (path) => ({ query_filter: { related: 'staff', some: leaf(path) } }),
  ],
  ['groups', (path) => ({ query_groups: [path], query_attributes: [path] })],
  [
    'an aggregate',
    (path) => ({
      query_groups: ['n'],
      query_aggregates: [{ name: 'least', op: 'min', attribute: path }],
    }),
  ],
])('says how many relations a path may pass where one in %s passes more', (_, membersOf) => {
  expect(detailsOf(membersOf('boss.boss.boss.n'))).toEqual([]);
  expect(detailsOf(membersOf(TOO_FAR))).toEqual([REFUSAL]);
});

it('says nothing of relations that lead nowhere', () => {
  expect(detailsOf({ query_attributes: ['boss.boss.boss.bos.n'] })).toEqual([
    'unknown_attribute: "staff" has no attribute named "boss.boss.boss.bos.n".',
  ]);
});

it.each([
  ['boss_', 'boss_id'],
  ['boss.boss_', 'boss.boss_id'],
  ['bos.boss.boss.n', 'boss.boss.boss.n'],
  ['bos.boss.boss.boss.n', undefined],
])('means by %s what is at most so many relations away: %s', (path, meant) => {
  const body = { query_model: 'staff', query_attributes: [path], page: { page: 1, size: 10 } };
  const planning = planQuery(body, CATALOGUE, EVERYTHING);
  const errors = planning.ok ? [] : planning.errors;
  expect(errors.map((error) => error.did_you_mean)).toEqual([meant]);
});

it('says how to write a relation that is named like an attribute', () => {
  const related = { related: 'boss', some: leaf('n') };
  expect([
    ...(detailsOf({ query_attributes: ['boss'] }) as string[]),
    ...(detailsOf({ query_filter: leaf('staff.n') }) as string[]),
    ...(detailsOf({ query_filter: leaf('staff') }) as string[]),
    ...(detailsOf({ query_filter: related }) as string[]),
  ]).toEqual([
    'unknown_attribute: "staff" has no attribute named "boss". ' +
      'It is a relation: name an attribute behind it, such as "boss.id".',
    'unknown_attribute: "staff" has no attribute named "staff.n". ' +
      'Many "staff" may refer to a record: filter by them with "related".',
    'unknown_attribute: "staff" has no attribute named "staff". ' +
      'Many "staff" may refer to a record: filter by them with "related".',
    'unknown_attribute: Nothing refers to "staff" by the name "boss". ' +
      'It is a relation: name an attribute behind it, such as "boss.id".',
  ]);
});
