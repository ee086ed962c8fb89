import { roleSettings } from '@proj/fastify/settings';
import { describe, expect, it } from 'vitest';

import { tokenSettings } from '../settings/groups/tokens.ts';
import { accessErrors, type AccessSettings } from './check-access.ts';
import { ORDERS_CATALOGUE } from '../../../../packages/fastify/test/orders-catalogue.ts';
import { jwtSettings } from '../settings/groups/jwt.ts';
import { sha256 } from './tokens.ts';

const READER = { models: 'all' };

/** What is wrong with access settings, where roles are given by name. */
function check(roles: object, others: Partial<Omit<AccessSettings, 'roles'>> = {}) {
  const parsed = Object.entries(roles).map(([name, role]) => [name, roleSettings.parse(role)]);
  return accessErrors(
    { roles: Object.fromEntries(parsed), tokens: [], jwt: [], ...others },
    { catalogue: ORDERS_CATALOGUE },
  );
}

/** What is wrong with a role's grant of orders. */
const checkGrant = (grant: object) => check({ clerk: { models: { orders: grant } } });

const token = (name: string, role: string, secret = name) =>
  tokenSettings.parse({ name, role, sha256: sha256(secret) });

const issuer = (roles: object) =>
  jwtSettings.parse({
    issuer: 'https://issuer.example',
    audience: 'api',
    jwks_url: 'https://issuer.example/keys',
    roles,
  });

const rowsError = (problem: string) => [
  {
    path: ['roles', 'clerk', 'models', 'orders', 'rows'],
    problem: expect.stringContaining(problem),
    remedy: 'See docs/reference/operators.md.',
  },
];

const unknownAttribute = (name: string) => ({
  path: ['roles', 'clerk', 'models', 'orders', 'attributes'],
  problem: `The model has no attribute named "${name}".`,
  remedy: 'It has: id, region.',
});

/** A row filter that is one comparison. */
const leaf = (attribute: string, op: string, value: unknown) => ({
  rows: { attribute, op, value },
});

describe('a role', () => {
  it('of all models fits any catalogue', () => {
    expect(check({ reader: READER })).toEqual([]);
  });

  it('that names a missing model is rejected with the names of those that exist', () => {
    expect(check({ reader: READER, clerk: { models: { orders: {}, absent: {} } } })).toEqual([
      {
        path: ['roles', 'clerk', 'models', 'absent'],
        problem: 'There is no such model.',
        remedy: 'There are: orders, invoices.',
      },
    ]);
  });

  it('that names missing attributes is rejected with an error for each', () => {
    expect(checkGrant({ attributes: ['x', 'id', 'y'] })).toEqual([
      unknownAttribute('x'),
      unknownAttribute('y'),
    ]);
    expect(checkGrant({ attributes: ['region', 'id'] })).toEqual([]);
  });
});

describe('the row filter of a role', () => {
  it.each([
    leaf('id', 'eq', 7),
    leaf('id', 'eq', '$claims.id'),
    leaf('id', 'in', ['$claims.a', '$claims.b']),
    leaf('id', 'is_distinct', null),
    leaf('id', 'in', '$claims.ids'),
    leaf('id', 'between', '$claims.range'),
    { rows: { not: { or: [leaf('id', 'in', '$claims.ids').rows] } } },
    { rows: { and: [leaf('region', 'eq', 'north').rows, leaf('id', 'lt', '$claims.id').rows] } },
  ])('fits: %j', (grant) => {
    expect(checkGrant(grant)).toEqual([]);
  });

  it.each([
    [leaf('absent', 'eq', '$claims.id'), '/attribute: '],
    [leaf('$claims.id', 'eq', 7), '/attribute: '],
    [leaf('id', 'eq', 'north'), '/value: '],
    [leaf('id', 'in', ['$claims.a', 'north']), '/value/1: '],
    [leaf('id', 'contains', '$claims.id'), '/op: '],
    [leaf('id', 'eq', ['$claims.a']), '/value'],
    [{ rows: { and: [leaf('id', 'eq', 'north').rows] } }, '/and/0/value: '],
    [{ rows: { attribute: 'id' } }, '/op: '],
  ])('does not fit: %j', (grant, problem) => {
    const errors = checkGrant(grant);
    expect(errors).toEqual(rowsError(problem));
    const pointer = problem.replace(/: $/, '');
    expect(errors[0]?.problem.split(pointer), 'names the place once').toHaveLength(2);
  });
});

describe('a role that is referred to', () => {
  it('by a token has to be there', () => {
    const tokens = [token('ann', 'reader'), token('bob', 'writer')];

    expect(check({ reader: READER, clerk: READER }, { tokens })).toEqual([
      {
        path: ['tokens', '1', 'role'],
        problem: 'There is no role "writer".',
        remedy: 'There are: reader, clerk.',
      },
    ]);
  });

  it('by an issuer of tokens has to be there', () => {
    const jwt = [issuer({ staff: 'reader' }), issuer({ staff: 'reader', boss: 'toString' })];

    expect(check({ reader: READER }, { jwt })).toEqual([
      {
        path: ['jwt', '1', 'roles', 'boss'],
        problem: 'There is no role "toString".',
        remedy: 'There are: reader.',
      },
    ]);
  });

  it('is missed where there are no roles at all', () => {
    expect(check({}, { tokens: [token('ann', 'reader')] })).toMatchObject([
      { remedy: 'There are: none.' },
    ]);
  });
});

describe('two tokens', () => {
  it('may not have one name', () => {
    const tokens = [token('ann', 'reader', 'one'), token('ann', 'reader', 'two')];

    expect(check({ reader: READER }, { tokens })).toEqual([
      {
        path: ['tokens', '1', 'name'],
        problem: 'Another token is named "ann".',
        remedy: 'Choose another name.',
      },
    ]);
  });

  it('may not be the same token', () => {
    const tokens = [token('ann', 'reader', 'one'), token('bob', 'reader', 'one')];

    expect(check({ reader: READER }, { tokens })).toEqual([
      {
        path: ['tokens', '1', 'sha256'],
        problem: 'Another entry is for the same token.',
        remedy: 'Remove one of them.',
      },
    ]);
  });
});
