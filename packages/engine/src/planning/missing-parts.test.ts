import { describe, expect, it } from 'vitest';

import { anyPlanOf, catalogueOf, columnOf, NOTES, tableOf } from '../../test/unit/models.ts';
import { EVERYTHING, Grant, type ModelGrant } from '../catalogue/grant.ts';
import type { Missing, Model } from '../catalogue/model.ts';

const REASON = 'It is gone.';

function partMissing(members: object, columns: Missing['columns']): Missing | undefined {
  const missing = { columns, reason: REASON };
  const models = [...catalogueOf(NOTES)].map(
    ([name, model]) => [name, { ...model, missing }] as const,
  );
  return anyPlanOf(members, EVERYTHING, new Map(models)).missing;
}

const STAFF = {
  ...tableOf('staff', [
    columnOf('id', 'int64', false),
    columnOf('word'),
    columnOf('boss_id', 'int64'),
  ]),
  uniqueKeys: [[{ column: 'id' }]],
  foreignKeys: [{ columns: ['boss_id'], relation: ['staff'], key: ['id'] }] as const,
};

const lacking = (column: string): Partial<Model> => ({
  missing: { columns: new Set([column]), reason: REASON },
});

const RANK = { attribute: 'rank', op: 'eq', value: 1 };
const WORD = { attribute: 'word', op: 'eq', value: 'a' };

describe('a plan of a model that lacks a column', () => {
  it.each<[string, object]>([
    ['selects it', { query_attributes: ['word', 'rank'] }],
    ['is ordered by it', { query_sort: [{ attribute: 'rank' }] }],
    ['compares it', { query_filter: RANK }],
    ['compares it in a negation', { query_filter: { not: RANK } }],
    ['compares it in a conjunction', { query_filter: { and: [WORD, RANK] } }],
    ['compares it in a disjunction', { query_filter: { or: [WORD, { and: [WORD, RANK] }] } }],
  ])('cannot be read where it %s', (_how, members) => {
    const columns = new Set(['rank']);
    expect(partMissing(members, columns)).toEqual({ columns, reason: REASON });
  });

  it.each<object>([{}, { query_filter: { and: [WORD, { not: WORD }] } }])(
    'can be read where it does not need the column: %j',
    (members) => {
      expect(partMissing(members, new Set(['rank']))).toBeUndefined();
    },
  );
});

const GROUPS = {
  query_attributes: ['word'],
  query_groups: ['word'],
  query_aggregates: [{ name: 'highest', op: 'max', attribute: 'rank' }],
};

it('groups need the columns that they name, and neither order nor key of the records', () => {
  expect(partMissing(GROUPS, new Set(['rank']))?.reason).toBe(REASON);
  expect(partMissing(GROUPS, new Set(['id']))).toBeUndefined();
  expect(partMissing({}, new Set(['id']))?.reason).toBe(REASON);
});

it('no plan of a model that is missing as a whole can be read', () => {
  expect(partMissing({}, 'all')).toEqual({ columns: 'all', reason: REASON });
});

it.each<[string, object, (model: Model) => Partial<Model>]>([
  [
    'a relation that is gone',
    { query_attributes: ['boss.word'] },
    (model) => ({
      relations: new Map(
        [...model.relations].map(([name, one]) => [name, { ...one, isMissing: true }]),
      ),
    }),
  ],
  ['the columns of a relation', { query_attributes: ['boss.word'] }, () => lacking('boss_id')],
  ['the key of a relation', { query_attributes: ['boss.word'] }, () => lacking('id')],
  [
    'the columns of those that refer to it',
    { query_filter: { related: 'staff', some: {} } },
    () => lacking('boss_id'),
  ],
])('no plan that needs %s can be read', (_, members, changesOf) => {
  const [[name, model] = ['', undefined]] = catalogueOf(STAFF);
  if (model === undefined) throw new Error('There is a model.');
  const catalogue = new Map([[name, { ...model, ...changesOf(model) }]]);
  const groups = { query_model: 'staff', query_attributes: ['word'], query_groups: ['word'] };
  expect(anyPlanOf(groups, EVERYTHING, catalogue).missing).toBeUndefined();
  const grouped = 'query_filter' in members ? members : { query_groups: ['boss.word'], ...members };
  const { missing } = anyPlanOf({ ...groups, ...grouped }, EVERYTHING, catalogue);
  const { missing: nothing } = anyPlanOf({ ...groups, ...grouped }, EVERYTHING, catalogueOf(STAFF));
  expect(nothing).toBeUndefined();
  expect(missing?.reason).toMatch(/It is gone|the relation boss of staff no longer leads to one/);
  const isGone = missing?.reason !== REASON;
  expect(missing?.columns === 'all').toBe(isGone);
});

it.each([
  ['the list', 'bosses', { query_model: 'bosses' }],
  ['records on a path', 'bosses', { query_model: 'staff', query_attributes: ['boss.id'] }],
  ['referring records', 'staff', { query_filter: { related: 'staff', some: {} } }],
])('no plan can be read where the row policy of %s names what is missing', (_, name, members) => {
  const bosses = tableOf('bosses', [columnOf('id', 'int64', false), columnOf('word')]);
  const [foreignKey] = STAFF.foreignKeys;
  const whole = catalogueOf(
    { ...bosses, uniqueKeys: STAFF.uniqueKeys },
    { ...STAFF, foreignKeys: [{ ...foreignKey, relation: ['bosses'] }] },
  );
  const catalogue = new Map(
    [...whole].map(([one, model]) => [
      one,
      one === name ? { ...model, ...lacking('word') } : model,
    ]),
  );
  const rowPolicy = { attribute: 'word', op: 'eq', value: 'a' } as const;
  const all = { attributes: 'all' } as const;
  const grants = ['bosses', 'staff'].map(
    (one) => [one, one === name ? { ...all, rowPolicy } : all] as const,
  );
  const [open, bound] = [EVERYTHING, new Grant(new Map<string, ModelGrant>(grants))].map((grant) =>
    anyPlanOf({ query_model: 'bosses', query_attributes: ['id'], ...members }, grant, catalogue),
  );
  expect([open?.missing, bound?.missing?.reason]).toEqual([undefined, REASON]);
});
