import { EVERYTHING, Grant, type ModelGrant } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { ORDERS_CATALOGUE } from '../../test/orders-catalogue.ts';
import { roleSettings } from '../settings/roles.ts';
import { makeGrant, seesDataVersion } from './roles.ts';

const OF_REGION = { rows: { attribute: 'region', op: 'eq', value: '$claims.region' } };
const OF_IDS = { rows: { attribute: 'id', op: 'in', value: '$claims.ids' } };

const grantOf = (models: unknown, claims = {}) =>
  makeGrant({ role: 'clerk', claims }, { clerk: roleSettings.parse({ models }) }, ORDERS_CATALOGUE);

const refusal = (message: string) => expect.objectContaining({ code: 'forbidden', message });

describe('a role grants', () => {
  it('everything where it names all models', () => {
    expect(grantOf('all')).toEqual(EVERYTHING);
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
