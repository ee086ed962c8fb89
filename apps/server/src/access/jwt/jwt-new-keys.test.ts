import { expect, it, onTestFinished, vi } from 'vitest';

import { type IssuerKey, makeKey, publicJwk, signToken } from '../../../test/jwt/tokens.ts';
import { jwtSettings } from '../../settings/groups/jwt.ts';
import { createJwtVerifier } from './jwt.ts';

const ISSUER = 'https://issuer.example';
const [ONE, TWO, NEW] = [makeKey('one'), makeKey('two'), makeKey('new')];
const NOW = 1_900_000_000;
const LATER = NOW + 5;

/** A verifier that has read keys one and two, and by now may read them again, with a new one. */
async function startWithNewKey() {
  const clock = { seconds: NOW };
  const keys = [ONE, TWO];
  const reasons: unknown[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async () =>
    Response.json({ keys: keys.map(publicJwk) }),
  );
  const settings = jwtSettings.parse({
    issuer: ISSUER,
    audience: 'api',
    jwks_url: `${ISSUER}/keys`,
    roles: { staff: 'reader' },
  });
  const { verify, close } = createJwtVerifier([settings], {
    fetch,
    now: () => clock.seconds * 1000,
    onRefusal: ({ reason }) => void reasons.push(reason),
  });
  onTestFinished(close);
  await verify(tokenBy(ONE, { kid: 'one' }));
  keys.push(NEW);
  clock.seconds = LATER;
  return { verify, reasons, reads: () => fetch.mock.calls.length };
}

function tokenBy(key: IssuerKey, header: object, claims: object = {}): string {
  const own = { iss: ISSUER, aud: 'api', sub: 'app', roles: 'staff', exp: LATER + 3600 };
  return signToken(key, { alg: 'ES256', ...header }, { ...own, ...claims });
}

it.each([
  ['names a key that the issuer has just put in', { kid: 'new' }],
  ['names no key and is signed with one that the issuer has just put in', {}],
])('a token that %s is verified after the keys are read again', async (_name, header) => {
  const { verify, reads } = await startWithNewKey();
  expect(await verify(tokenBy(NEW, header))).toMatchObject({ name: 'app' });
  expect(reads()).toBe(2);
});

it.each([
  ['names another key than signed it', tokenBy(TWO, { kid: 'one' })],
  ['names its key and has expired', tokenBy(ONE, { kid: 'one' }, { exp: NOW - 60 })],
  ['names no key and has expired', tokenBy(TWO, {}, { exp: NOW - 60 })],
])('a token that %s is refused without reading the keys again', async (_name, token) => {
  const { verify, reads } = await startWithNewKey();
  expect(await verify(token)).toBeUndefined();
  expect(reads()).toBe(1);
});

it('a token that names no key and fits none of several is refused for its signature', async () => {
  const { verify, reasons } = await startWithNewKey();
  await verify(tokenBy(makeKey('unknown'), {}));
  expect(reasons).toEqual(['signature']);
});

async function failToFetch(): Promise<never> {
  return Promise.reject(new TypeError('fetch failed'));
}

it('a token of an issuer whose keys cannot be read is not refused: there is no answer', async () => {
  const settings = { issuer: ISSUER, audience: 'api', jwks_url: `${ISSUER}/keys` };
  const parsed = jwtSettings.parse({ ...settings, roles: { staff: 'reader' } });
  const { verify, close } = createJwtVerifier([parsed], { fetch: failToFetch });
  onTestFinished(close);
  await expect(verify(tokenBy(ONE, { kid: 'one' }))).rejects.toMatchObject({
    code: 'auth_unavailable',
  });
});
