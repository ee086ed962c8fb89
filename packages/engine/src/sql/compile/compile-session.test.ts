import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { planOf } from '../../../test/unit/models.ts';
import { plainDialect } from '../../../test/unit/plain-dialect.ts';
import type { Model } from '../../catalogue/model.ts';
import type { RoleAccess } from '../../catalogue/relation.ts';
import { groupRows, type ListRows, tableRows, withSession } from '../../planning/list-rows.ts';
import type { Dialect } from '../dialect.ts';
import type { StatementSession } from '../statement.ts';
import { callersDialectOf } from './compile-session.ts';

const { model } = planOf().rows;
const NOTES: Model = { ...model, versioned: true, snapshots: true };
const SESSION = { role: 'app', settings: { 'app.Tenant': '7', 'app.user': 'x' }, trusts: [] };
const POLICIES: RoleAccess = { role: 'app', policyTables: [['teams'], ['notes']] };
const DIALECT: Dialect = {
  ...plainDialect,
  lock: (relations) => sql`keep ${sql.join([...relations])}`,
};

function sessionOf(access: Partial<RoleAccess> | undefined, changes: Partial<Model> = {}) {
  const roles = access && [{ ...POLICIES, ...access }];
  const list = tableRows({ ...NOTES, ...changes, ...(roles && { roles }) });
  return callersDialectOf(withSession(SESSION, list), DIALECT).session;
}

it('a list of the service has a session where several servers have to be of one state', () => {
  expect(callersDialectOf(tableRows(NOTES), DIALECT).session).toBeUndefined();
  const cut = [['parts']];
  expect(callersDialectOf(tableRows({ ...NOTES, cut }), DIALECT).session).toEqual({
    role: undefined,
    settings: {},
    lock: undefined,
    endsWithVersion: false,
    calls: [],
    readsUnlocked: false,
    cut,
  });
});

it('a caller’s list locks once what it and its policies read', () => {
  const { role, settings, lock, cut } = sessionOf({}) ?? {};
  expect([role, settings, cut]).toEqual(['app', SESSION.settings, []]);
  expect(lock?.sql).toBe('keep "notes", "teams"');
  const ofPolicies = 'keep "teams", "notes"';
  const varying = { snapshots: false, varies: { inTransaction: false } };
  expect(sessionOf({}, varying)?.lock?.sql).toBe(ofPolicies);
  expect(sessionOf({}, { snapshots: false })?.lock?.sql).toBe(ofPolicies);
  const inTransaction = { snapshots: false, varies: { inTransaction: true } };
  expect(sessionOf({}, inTransaction)?.lock?.sql).toBe('keep "notes", "teams"');
  expect(sessionOf(undefined, { snapshots: false })?.lock).toBeUndefined();
  expect(sessionOf({}, { cut: [['parts']] })?.cut).toEqual([['parts']]);
  const list = withSession(SESSION, tableRows(NOTES));
  expect(callersDialectOf(list, plainDialect).session?.lock).toBeUndefined();
});

it.each<[Partial<RoleAccess> | undefined, object]>([
  [undefined, { endsWithVersion: false, calls: [], readsUnlocked: false }],
  [{}, { endsWithVersion: false, calls: [], readsUnlocked: false }],
  [{ definition: 'd' }, { endsWithVersion: true }],
  [{ calls: ['g()', 'f()', 'g()'] }, { calls: ['f()', 'g()'], readsUnlocked: true }],
  [{ readsUnlocked: true }, { calls: [], readsUnlocked: true }],
])('policies with %j end, call and read as %j', (access, session) => {
  expect(sessionOf(access)).toMatchObject(session);
});

it('rows that each decide alone are shown by the settings that decide with them', () => {
  const access = { definition: 'd', decidesBy: ['app.tenant'] };
  const shownBy = { definition: 'd', settings: { 'app.Tenant': '7' } };
  expect(sessionOf(access)?.shownBy).toEqual(shownBy);
  expect(sessionOf(undefined)?.shownBy).toEqual({ definition: undefined, settings: {} });
  expect(sessionOf({ definition: 'd' })).not.toHaveProperty('shownBy');
});

it('versions hold while relations are defined as they were, and no key leads to groups', () => {
  const whileDefined = (defined: unknown): Dialect => ({
    ...DIALECT,
    session: { role: JSON.stringify(defined) } as StatementSession,
  });
  const provenBy = (list: ListRows): string | undefined =>
    callersDialectOf(list, { ...DIALECT, whileDefined }).session?.role;
  const list = tableRows({ ...NOTES, definition: 'd' });
  expect(provenBy(list)).toBe('[{"path":["notes"],"definition":"d"}]');
  const unproven = [
    tableRows(NOTES),
    tableRows({ ...NOTES, definition: 'd', versioned: false }),
    tableRows({ ...NOTES, definition: 'd', varies: { inTransaction: true } }),
  ];
  expect(unproven.map(provenBy)).toEqual([undefined, undefined, undefined]);
  const groups = groupRows(list, { condition: undefined, groups: [], aggregates: [] });
  expect(callersDialectOf(list, DIALECT).keys).toBe(DIALECT.keys);
  expect(callersDialectOf(groups, DIALECT).keys).toBeUndefined();
});
