import { describe, expect, it } from 'vitest';

import { catalogueOf, columnOf, planOf, tableOf } from '../../test/unit/models.ts';
import type { Model } from '../catalogue/model.ts';
import type { ComputedValue, RoleAccess, Selection } from '../catalogue/relation.ts';
import type { Join, RelatedValue } from './condition.ts';
import { groupRows, tableRows, versionScope, withSession } from './list-rows.ts';

const { model } = planOf().rows;
const [other = model] = catalogueOf(tableOf('others', [columnOf('id', 'int64', false)])).values();

const [KEPT, OTHER] = [model, other].map((one): Model => ({
  ...one,
  versioned: true,
  snapshots: true,
})) as [Model, Model];
const SELECTION = { sql: 'select 1' } as unknown as Selection;
const VALUE = { isOfRow: true } as ComputedValue;

describe('the rows of a model', () => {
  it('are those of its relation, and have its name', () => {
    expect(tableRows(model)).toMatchObject({ name: 'notes', relations: [['notes']] });
  });

  it.each([
    [true, true, ['notes']],
    [true, false, undefined],
    [false, true, undefined],
    [false, false, undefined],
  ])(
    'with versions: %j, with snapshots: %j are followed as those of %j',
    (versioned, snapshots, followable) => {
      const { facts } = tableRows({ ...model, versioned, snapshots });
      expect(facts).toMatchObject({ versioned, hasSnapshots: snapshots });
      expect(facts.followable).toEqual(followable);
    },
  );

  it('are of several servers where one of their models is', () => {
    const distributed = { ...OTHER, distributed: 'They are on several servers.' };
    const lists = [[], [OTHER], [OTHER, distributed]].map((models) =>
      tableRows(KEPT, [], { models, computed: [] }),
    );
    expect(lists.map(({ facts }) => facts.approximate)).toEqual([false, false, true]);
  });
});

const SESSION = { role: 'app', settings: {}, trusts: [] };
const POLICIES: RoleAccess = { role: 'app', policyTables: [], definition: 'policies' };
const FOLLOWED = { versioned: true, hasSnapshots: true, followable: ['notes'] };
const VERSIONED = { ...FOLLOWED, followable: undefined };

it.each<[string, Partial<Model>, object]>([
  ['has no policies', {}, FOLLOWED],
  ['has policies for another role', { roles: [{ ...POLICIES, role: 'other' }] }, FOLLOWED],
  ['has policies on each row alone', { roles: [{ ...POLICIES, decidesBy: [] }] }, FOLLOWED],
  ['has policies that read more', { roles: [POLICIES] }, VERSIONED],
  ['has versions for the role alone', { versioned: false, roles: [POLICIES] }, VERSIONED],
  ['has no versions', { versioned: false }, { ...VERSIONED, versioned: false }],
  ['has no snapshots', { snapshots: false }, { ...VERSIONED, hasSnapshots: false }],
  [
    'has no snapshots, and policies on each row alone',
    { snapshots: false, roles: [{ ...POLICIES, decidesBy: [] }] },
    { ...VERSIONED, hasSnapshots: false },
  ],
  [
    'varies within a transaction without the role’s policies',
    { snapshots: false, varies: { inTransaction: true }, roles: [POLICIES] },
    { ...VERSIONED, varies: undefined },
  ],
  [
    'varies from read to read',
    { snapshots: false, varies: { inTransaction: false }, roles: [POLICIES] },
    { ...VERSIONED, hasSnapshots: false, varies: undefined },
  ],
  [
    'is a selection',
    { selection: SELECTION, roles: [POLICIES] },
    { versioned: false, hasSnapshots: false, followable: undefined },
  ],
])('a session’s rows of a model that %s have what it can know of them', (_, changes, facts) => {
  const list = withSession(SESSION, tableRows({ ...KEPT, ...changes }));
  expect({ ...list.facts, ...facts }).toEqual(list.facts);
  expect(list).toMatchObject({ session: SESSION, models: [{ name: 'notes' }] });
  const isRead = changes.roles?.[0]?.role === 'app' && changes.selection === undefined;
  expect(list.models[0]?.definition).toBe(isRead ? 'policies' : undefined);
});

it('nothing but the rows of one table is followed, with and without a session', () => {
  const join = { target: OTHER } as Join;
  const plain = tableRows(KEPT);
  const related = new Map([['r0', {} as RelatedValue]]);
  const groups = groupRows(plain, { condition: undefined, groups: [], aggregates: [] });
  expect(groups.rows).toMatchObject({ kind: 'groups', of: { kind: 'table', model: KEPT } });
  const lists = [
    tableRows(KEPT, [join]),
    tableRows(KEPT, [{ target: KEPT } as Join]),
    tableRows(KEPT, [], { models: [OTHER], computed: [] }),
    tableRows(KEPT, [], { models: [], computed: [VALUE] }),
    tableRows(KEPT, [], { models: [], computed: [], related }),
    groups,
  ];
  expect(lists.map(({ facts }) => facts.followable)).toEqual(lists.map(() => undefined));
  expect(lists.every(({ facts }) => facts.versioned && facts.hasSnapshots)).toBe(true);
  const ofTables = lists.slice(0, 5) as (typeof plain)[];
  const seen = ofTables.map((list) => withSession(SESSION, list).facts.followable);
  expect(seen).toEqual(ofTables.map(() => undefined));
  expect(tableRows({ ...KEPT, cut: [['parts']] }).facts.followable).toBeUndefined();
  expect(tableRows({ ...KEPT, selection: SELECTION }).facts.followable).toBeUndefined();
  expect(tableRows(KEPT, [], { models: [], computed: [], related: new Map() })).toEqual(plain);
  expect(withSession(undefined, plain)).toBe(plain);
});

it('a list has versions and snapshots where each of its models has', () => {
  const models = [{ ...OTHER, versioned: false, snapshots: false }];
  const { facts } = tableRows(KEPT, [], { models, computed: [] });
  expect(facts).toMatchObject({ versioned: false, hasSnapshots: false });
});

it('values that read other rows have neither versions nor snapshots', () => {
  const computed = [VALUE, { isOfRow: false } as ComputedValue];
  const list = tableRows(KEPT, [], { models: [], computed });
  expect(list.facts).toMatchObject({ versioned: false, hasSnapshots: false });
  expect(list.rows.computed).toEqual(computed);
  expect(tableRows(KEPT).rows).not.toHaveProperty('computed');
});

it('lists have the versions of their relations, and a session’s that of the whole database', () => {
  const list = tableRows(KEPT);
  const cut = tableRows({ ...KEPT, cut: [['parts']] }, [], { models: [OTHER], computed: [] });
  const both = [['notes'], ['others']];
  expect([list, cut].map(versionScope)).toEqual([[['notes']], both]);
  const shown = [list, cut].map((one) => withSession(SESSION, one));
  expect(shown.map(versionScope)).toEqual([[], both]);
});
