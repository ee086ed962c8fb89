import { EVERYTHING, Grant, type ModelGrant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { ORDERS_CATALOGUE } from '../../test/orders-catalogue.ts';
import { roleSettings } from '../settings/roles.ts';
import { makeGrant, principalFor, seesDataVersion } from './roles.ts';

const OF_REGION = { rows: { attribute: 'region', op: 'eq', value: '$claims.region' } };
const OF_IDS = { rows: { attribute: 'id', op: 'in', value: '$claims.ids' } };

const grantOf = (models: unknown, claims = {}) =>
  makeGrant({ role: 'clerk', claims }, { clerk: roleSettings.parse({ models }) }, ORDERS_CATALOGUE);

const refusal = (message: string) => expect.objectContaining({ code: 'forbidden', message });

describe('a role grants', () => {
  it('everything where it names all models', () => {
    expect(grantOf('all')).toBe(EVERYTHING);
  });

  it('the models that it names, with their attributes and page sizes', () => {
    expect(grantOf({ orders: { attributes: ['id'], max_page_size: 20 }, invoices: {} })).toEqual(
      new Grant(
        new Map<string, ModelGrant>([
          ['orders', { attributes: new Set(['id']), maxPageSize: 20 }],
          ['invoices', { attributes: 'all' }],
        ]),
      ),
    );
  });

  it('the rows that the claims of the token name', () => {
    const rowPolicy = { attribute: 'region', op: 'eq', value: 'north' } as const;
    expect(grantOf({ orders: OF_REGION }, { region: 'north' })).toEqual(
      new Grant(new Map([['orders', { attributes: 'all', rowPolicy }]])),
    );
  });

  it('a model that the catalogue does not have, which then shows nothing', () => {
    expect(grantOf({ absent: OF_REGION }, { region: 'north' })).toBeInstanceOf(Grant);
  });
});

describe('a role refuses a token', () => {
  it('that lacks a claim, whose name is in the reason without a sign', () => {
    expect(() => grantOf({ orders: OF_REGION })).toThrow(refusal('The token lacks claims.region.'));
  });

  it('that lacks several claims, all of which are in the reason', () => {
    const rows = { and: [OF_REGION.rows, OF_IDS.rows] };

    expect(() => grantOf({ orders: { rows } })).toThrow(
      refusal('The token lacks claims.region, claims.ids.'),
    );
  });

  it('whose claim is of another type than its attribute', () => {
    expect(() => grantOf({ invoices: {}, orders: OF_IDS }, { ids: ['x'] })).toThrow(
      refusal('A claim of the token is not of the type that its role needs.'),
    );
  });
});

it.each([
  [{ models: 'all' }, true],
  [{ models: { orders: {}, invoices: {} } }, true],
  [{ models: { orders: {}, invoices: OF_REGION } }, false],
  [{ models: 'all', database_session: { role: 'tenant' } }, false],
  [{ models: 'all', database_session: { role: 'tenant' }, data_version: true }, true],
  [{ models: { orders: OF_REGION }, data_version: true }, true],
  [{ models: 'all', data_version: false }, false],
])('the role %j sees versions of the data: %s', (settings, sees) => {
  expect(seesDataVersion(roleSettings.parse(settings))).toBe(sees);
});

function principalOf(role: string | null, settings: object, grantNow = () => EVERYTHING) {
  const clerk = roleSettings.parse({ models: 'all', ...settings });
  const caller = { id: 'token:ann', name: 'ann', role };
  return principalFor(caller, { clerk, null: clerk }, grantNow);
}

describe('the principal of a caller', () => {
  it.each([
    [null, { replicas: 'allowed' }, { usesReplicas: false, hidesDataVersion: false }],
    ['toString', {}, { usesReplicas: false, hidesDataVersion: false, session: undefined }],
    ['clerk', {}, { usesReplicas: false, hidesDataVersion: false, session: undefined }],
    ['clerk', { replicas: 'allowed' }, { usesReplicas: true }],
    [
      'clerk',
      { replicas: 'never', data_version: false },
      { usesReplicas: false, hidesDataVersion: true },
    ],
    [
      'clerk',
      { database_session: { role: 'tenant', settings: { 'app.x': 'secret' } } },
      { session: { role: 'tenant', settings: ['app.x'] }, hidesDataVersion: true },
    ],
  ])('of the role %j with %j has %j', (role, settings, facts) => {
    expect(principalOf(role, settings)).toMatchObject({
      id: 'token:ann',
      name: 'ann',
      role,
      ...facts,
    });
  });

  it('has the grant of the moment in which it is read, and is none where that is refused', () => {
    let grant = EVERYTHING;
    const principal = principalOf('clerk', {}, () => grant);
    grant = new Grant('all', undefined);
    expect(principal.grant).toBe(grant);
    expect(() => principalOf('clerk', {}, () => grantOf({ orders: OF_REGION }))).toThrow(
      refusal('The token lacks claims.region.'),
    );
  });
});

it('a role with a session of the database grants with it, and one that is not there grants nothing', () => {
  const roles = {
    clerk: roleSettings.parse({ models: 'all', database_session: { role: 'tenant' } }),
  };
  const grantFor = (role: string) => makeGrant({ role, claims: {} }, roles, ORDERS_CATALOGUE);
  expect(grantFor('clerk')).toEqual(new Grant('all', { role: 'tenant', settings: {}, trusts: [] }));
  expect(() => grantFor('toString')).toThrow(refusal('The caller has no role here.'));
});
