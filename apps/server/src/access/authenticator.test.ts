import type { Catalogue } from '@proj/engine';
import { expect, it } from 'vitest';

import { type AccessRules, authenticate } from './authenticator.ts';
import { knownToken } from './tokens.ts';

const CATALOGUE: Catalogue = new Map();

/** A token `a.b` is one that issuer `a` gave to `b`. */
const verify = async (token: string) => {
  const [issuer = '', name = ''] = token.split('.');
  return Promise.resolve({ issuer, name, role: 'reader', claims: {}, expiresAt: Infinity });
};

const RULES: AccessRules = {
  roles: { reader: { models: 'all' } },
  tokens: [
    { ...knownToken('first'), token: { name: 'ann', role: 'reader', claims: {} } },
    { ...knownToken('second'), token: { name: 'operator', role: 'reader', claims: {} } },
    knownToken('admin'),
  ],
  jwt: { looksLikeJwt: (token) => token.includes('.'), verify, close: () => undefined },
};

it('principals of the same name are told apart by who vouches for them', async () => {
  const tokens = ['first', 'second', 'admin', 'one.ann', 'two.ann', 'one.operator'];
  const principals = await Promise.all(tokens.map((token) => authenticate(token, RULES, CATALOGUE)));
  expect(new Set(principals.map((principal) => principal?.id)).size).toBe(tokens.length);
  expect((await authenticate('one.ann', RULES, CATALOGUE))?.id).toBe(principals[3]?.id);
});
