import { type Catalogue, EVERYTHING, Grant } from '@proj/engine';
import { describe, expect, it, vi } from 'vitest';

import { type AccessRules, accessRules, Authenticator } from './authenticator.ts';
import type { OnRefusal } from './refusals.ts';
import { sha256 } from './tokens.ts';

const SERVED: { catalogue: Catalogue } = { catalogue: new Map() };

/** A token `a.b` is one that issuer `a` gave to `b`. */
const verify = async (token: string) => {
  const [issuer = '', name = ''] = token.split('.');
  return Promise.resolve({ issuer, name, role: 'reader', claims: {}, expiresAt: Infinity });
};

const JWT = {
  looksLikeJwt: (token: string) => token.includes('.'),
  verify,
  close: () => undefined,
};

const TOKENS = [
  { name: 'ann', role: 'reader', sha256: sha256('first'), claims: {} },
  { name: 'operator', role: 'reader', sha256: sha256('second'), claims: {} },
];

const RULES = accessRules({ roles: { reader: { models: 'all' } }, tokens: TOKENS }, 'admin', JWT);

it('principals of the same name are distinguished by who vouches for them', async () => {
  const authenticator = new Authenticator(SERVED, RULES);
  const tokens = ['first', 'second', 'admin', 'one.ann', 'two.ann', 'one.operator'];
  const principals = await Promise.all(
    tokens.map(async (token) => authenticator.authenticate(token)),
  );
  expect(new Set(principals.map((principal) => principal?.id)).size).toBe(tokens.length);
  expect((await authenticator.authenticate('one.ann'))?.id).toBe(principals[3]?.id);
});

describe('when rules are replaced', () => {
  const restricted: AccessRules = {
    ...RULES,
    roles: { reader: { models: { orders: { attributes: ['id'] } } } },
  };
  const granted = new Grant(new Map([['orders', { attributes: new Set(['id']) }]]));

  it.each(['first', 'one.ann'])(
    'a role that is restricted is restricted at once for a token that was used before: %s',
    async (token) => {
      const authenticator = new Authenticator(SERVED, RULES);
      expect((await authenticator.authenticate(token))?.grant).toBe(EVERYTHING);
      authenticator.replace(restricted);
      expect((await authenticator.authenticate(token))?.grant).toEqual(granted);
    },
  );

  it('a request that was let in before them is held to them when it reads its grant', async () => {
    const authenticator = new Authenticator(SERVED, RULES);
    const principal = await authenticator.authenticate('first');
    authenticator.replace(restricted);
    expect(principal?.grant).toEqual(granted);
    authenticator.replace({ ...RULES, roles: {} });
    expect(() => principal?.grant).toThrow('The caller has no role here.');
  });

  it('a token that they do not list is no longer valid, and neither is a replaced admin token', async () => {
    const authenticator = new Authenticator(SERVED, RULES);
    authenticator.replace(
      accessRules({ roles: RULES.roles, tokens: TOKENS.slice(1) }, 'other admin', JWT),
    );
    expect(await authenticator.authenticate('first')).toBeUndefined();
    expect(await authenticator.authenticate('admin')).toBeUndefined();
    expect(await authenticator.authenticate('second')).toMatchObject({ name: 'operator' });
    expect(await authenticator.authenticate('other admin')).toMatchObject({ role: null });
  });

  it('the verifier of JWTs is closed unless they take it over', () => {
    const close = vi.fn<() => void>();
    const authenticator = new Authenticator(SERVED, { ...RULES, jwt: { ...JWT, close } });
    authenticator.replace({ ...RULES, jwt: authenticator.rules.jwt });
    expect(close).not.toHaveBeenCalled();
    authenticator.replace(RULES);
    expect(close).toHaveBeenCalledOnce();
  });
});

it('a grant is made once for a token, until the catalogue changes', async () => {
  const served: { catalogue: Catalogue } = { catalogue: new Map() };
  const roles = { reader: { models: { orders: { attributes: ['id'] } } } };
  const authenticator = new Authenticator(served, { ...RULES, roles });
  const before = (await authenticator.authenticate('first'))?.grant;
  expect((await authenticator.authenticate('first'))?.grant).toBe(before);
  served.catalogue = new Map();
  expect((await authenticator.authenticate('first'))?.grant).not.toBe(before);
});

it('grants of a role with thousands of models are not all kept', async () => {
  const names = Array.from({ length: 3000 }, (_, index) => `model_${index}`);
  const models = Object.fromEntries(names.map((name) => [name, { attributes: 'all' as const }]));
  const tokens = Array.from({ length: 60 }, (_, index) => `token ${index}`);
  const listed = tokens.map((token) => ({
    name: token,
    role: 'reader',
    sha256: sha256(token),
    claims: {},
  }));
  const rules = accessRules(
    { roles: { reader: { models } }, tokens: listed },
    undefined,
    undefined,
  );
  const authenticator = new Authenticator(SERVED, rules);
  const ask = async (token: string) => (await authenticator.authenticate(token))?.grant;
  const first = await ask('token 0');
  expect(await ask('token 0')).toBe(first);
  for (const token of tokens) await ask(token);
  expect(await ask('token 0')).not.toBe(first);
});

it('the admin token may read everything, and has no role', async () => {
  expect(await new Authenticator(SERVED, RULES).authenticate('admin')).toEqual({
    name: 'DYNAMIC_QUERY_ADMIN_TOKEN',
    id: 'admin',
    role: null,
    grant: EVERYTHING,
  });
});

it('a token whose claims do not fit its role is refused, with the reason', async () => {
  const rows = { attribute: 'region', op: 'eq', value: '$claims.region' };
  const roles = { reader: { models: { orders: { attributes: 'all' as const, rows } } } };
  const authenticator = new Authenticator(SERVED, { ...RULES, roles });
  await expect(async () => authenticator.authenticate('first')).rejects.toMatchObject({
    name: 'HttpProblem',
    code: 'forbidden',
    message: 'The token lacks claims.region.',
  });
});

it('a token whose role the settings do not have is refused, with the reason', async () => {
  const authenticator = new Authenticator(SERVED, { ...RULES, roles: {} });
  await expect(async () => authenticator.authenticate('first')).rejects.toMatchObject({
    code: 'forbidden',
    message: 'The caller has no role here.',
  });
});

it('a token that is neither listed nor a JWT is not valid', async () => {
  const listed = { ...RULES, jwt: undefined };
  for (const rules of [RULES, listed])
    expect(await new Authenticator(SERVED, rules).authenticate('other')).toBeUndefined();
  expect(await new Authenticator(SERVED, listed).authenticate('one.ann')).toBeUndefined();
});

it('a token that is not listed, and one that has expired, are reported with the reason', async () => {
  const expired = { name: 'old', role: 'reader', sha256: sha256('old'), claims: {} };
  const tokens = [{ ...expired, expires: '2020-01-01' }];
  const rules = accessRules({ roles: RULES.roles, tokens }, undefined, undefined);
  const onRefusal = vi.fn<OnRefusal>();
  const authenticator = new Authenticator(SERVED, rules, onRefusal);
  for (const token of ['other', 'one.ann', 'old']) await authenticator.authenticate(token);
  expect(onRefusal.mock.calls).toEqual([
    [{ reason: 'unknown token' }],
    [{ reason: 'unknown token' }],
    [{ reason: 'expired' }],
  ]);
});

it.each([
  [{ models: 'all' as const }, false],
  [{ models: 'all' as const, data_version: false }, true],
  [{ models: {}, data_version: true }, false],
])('replies to the role %j hide the version of the data: %s', async (reader, hides) => {
  const authenticator = new Authenticator(SERVED, { ...RULES, roles: { reader } });
  expect(await authenticator.authenticate('first')).toMatchObject({ hidesDataVersion: hides });
});

it('a grant is made again for another catalogue, and is else the same', async () => {
  const served = { catalogue: new Map() satisfies Catalogue as Catalogue };
  const roles = { reader: { models: {} } };
  const principal = await new Authenticator(served, { ...RULES, roles }).authenticate('first');
  const grant = principal?.grant;
  expect(principal?.grant).toBe(grant);
  served.catalogue = new Map();
  expect(principal?.grant).not.toBe(grant);
});

it('closes the verifier of JWTs where there is one', () => {
  const close = vi.fn<() => void>();
  const listed = { ...RULES, jwt: undefined };
  new Authenticator(SERVED, { ...RULES, jwt: { ...JWT, close } }).close();
  new Authenticator(SERVED, listed).close();
  new Authenticator(SERVED, listed).replace(RULES);
  expect(close).toHaveBeenCalledOnce();
});
