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

const token = (name: string, role: string, secret = name) =>
  tokenSettings.parse({ name, role, sha256: sha256(secret) });

const issuer = (roles: object) =>
  jwtSettings.parse({
    issuer: 'https://issuer.example',
    audience: 'api',
    jwks_url: 'https://issuer.example/keys',
    roles,
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

it('the admin token may not be a token of the settings too, whose holder would have every right', () => {
  const tokens = [token('ann', 'reader'), token('bob', 'reader')];
  const checkAdmin = (admin: string) => check({ reader: READER }, { token: admin, tokens });
  expect(checkAdmin('admin')).toEqual([]);
  expect(checkAdmin('bob')).toEqual([
    {
      path: ['token'],
      problem: 'It is the token "bob" of `tokens` too, and would give it every right.',
      remedy: 'Choose another admin token, or set none.',
    },
  ]);
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
