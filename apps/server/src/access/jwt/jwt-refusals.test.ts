import { expect, it, onTestFinished, vi } from 'vitest';

import { makeKey, publicJwk, signToken } from '../../../test/jwt/tokens.ts';
import { jwtSettings } from '../../settings/groups/jwt.ts';
import { createJwtVerifier } from './jwt.ts';

const ISSUER = 'https://issuer.example';
const NOW = 1_900_000_000;
const KEY = makeKey('one');
const OTHER_KEY = makeKey('two');
const HEADER = { alg: 'ES256', kid: 'one', typ: 'at+jwt' };
const CLAIMS = {
  iss: ISSUER,
  aud: 'api',
  sub: 'app',
  roles: ['staff'],
  iat: NOW,
  exp: NOW + 3600,
  tenant: { id: 7 },
};

/** A verifier of one issuer at a fixed time, and what it logs of tokens. */
function start(settings: object = {}) {
  const reasons: unknown[] = [];
  const issuer = jwtSettings.parse({
    issuer: ISSUER,
    audience: 'api',
    jwks_url: `${ISSUER}/keys`,
    roles: { staff: 'reader' },
    ...settings,
  });
  const fetch = vi.fn<typeof globalThis.fetch>(() =>
    Promise.resolve(Response.json({ keys: [publicJwk(KEY)] })),
  );
  const { verify, close } = createJwtVerifier([issuer], {
    fetch,
    now: () => NOW * 1000,
    onRefusal: (refusal) => void reasons.push(refusal),
  });
  onTestFinished(close);
  return { verify, reasons, fetch };
}

/** Why a token with other claims, or another header, is refused; undefined where it is not. */
async function reasonFor(claims: object, header: object = {}, settings?: object) {
  const { verify, reasons } = start(settings);
  const token = signToken(KEY, { ...HEADER, ...header }, { ...CLAIMS, ...claims });
  const verified = await verify(token);
  expect(reasons).toHaveLength(verified === undefined ? 1 : 0);
  return verified === undefined ? reasons[0] : undefined;
}

const refusedFor = (reason: string) => ({ issuer: ISSUER, reason });

it('verifies a token, with its name, role, claims and expiry, which nobody can change', async () => {
  const { verify } = start();
  const verified = await verify(signToken(KEY, HEADER, CLAIMS));

  expect(verified).toEqual({
    name: 'app',
    issuer: ISSUER,
    role: 'reader',
    claims: CLAIMS,
    expiresAt: (NOW + 3600) * 1000,
  });
  expect(Object.isFrozen(verified)).toBe(true);
  expect(Object.isFrozen(verified?.claims)).toBe(true);
  expect(Object.isFrozen(verified?.claims['tenant'])).toBe(true);
});

it('verifies a token once, and finds it again without its signature', async () => {
  const { verify } = start();
  const token = signToken(KEY, HEADER, CLAIMS);
  const verifySignature = vi.spyOn(crypto.subtle, 'verify');
  onTestFinished(() => verifySignature.mockRestore());

  expect(await verify(token)).toBe(await verify(token));
  expect(verifySignature).toHaveBeenCalledOnce();
});

it.each([
  ['the audience is another', { aud: 'other' }, 'audience'],
  ['it has expired', { exp: NOW - 30 }, 'expired'],
  ['it has no expiry', { exp: undefined }, 'no expiry'],
  ['its expiry is no number', { exp: 'soon' }, 'no expiry'],
  ['it is not valid yet', { nbf: NOW + 31 }, 'not valid yet'],
  ['it was issued in the future', { iat: NOW + 31 }, 'issued in the future'],
  ['it has no name', { sub: undefined }, 'no name'],
  ['it has no role of the settings', { roles: ['other'] }, 'no role'],
])('refuses a token where %s', async (_name, claims, reason) => {
  expect(await reasonFor(claims)).toEqual(refusedFor(reason));
});

it.each([
  ['expired less than the clock skew ago', { exp: NOW - 29 }],
  ['is issued within the clock skew', { iat: NOW + 30 }],
  ['does not say when it was issued', { iat: undefined }],
  ['has a claim that is null', { tenant: null }],
])('takes a token that %s', async (_name, claims) => {
  expect(await reasonFor(claims)).toBeUndefined();
});

it.each([{ crit: [] }, { crit: ['b64'], b64: false }])(
  'refuses a token whose header says %j',
  async (header) => {
    expect(await reasonFor({}, header)).toEqual(refusedFor('malformed'));
  },
);

it('allows no clock skew where the settings allow none', async () => {
  const strict = { clock_skew_seconds: 0 };

  expect(await reasonFor({ iat: NOW + 1 }, {}, strict)).toEqual(refusedFor('issued in the future'));
  expect(await reasonFor({ exp: NOW }, {}, strict)).toEqual(refusedFor('expired'));
});

it.each([undefined, 'JWT', 'at+jwt', 'AT+JWT', 'application/jwt', 'application/at+jwt'])(
  'takes a token of the type %s',
  async (typ) => {
    expect(await reasonFor({}, { typ })).toBeUndefined();
  },
);

it.each(['id+jwt', 'logout+jwt', ''])('refuses a token of the type %j', async (typ) => {
  expect(await reasonFor({}, { typ })).toEqual(refusedFor('type'));
});

it('refuses an algorithm that the settings do not list before it asks for keys', async () => {
  const { verify, reasons } = start({ algorithms: ['RS256', 'EdDSA'] });
  await verify(signToken(KEY, HEADER, CLAIMS));

  expect(reasons).toEqual([refusedFor('algorithm')]);
});

it('takes any algorithm that the settings list', async () => {
  expect(await reasonFor({}, {}, { algorithms: ['EdDSA', 'ES256'] })).toBeUndefined();
});

it('refuses a token that another key has signed', async () => {
  const { verify, reasons } = start();
  await verify(signToken(OTHER_KEY, HEADER, CLAIMS));
  await verify(signToken(OTHER_KEY, { ...HEADER, kid: 'two' }, CLAIMS));

  expect(reasons).toEqual([refusedFor('signature'), refusedFor('unknown key')]);
});

it('refuses an issuer that the settings do not list, and what is no token at all', async () => {
  const { verify, reasons, fetch } = start();
  await verify(signToken(KEY, HEADER, { ...CLAIMS, iss: 'https://other.example' }));
  await verify('a.b.c');
  await verify('dq_token');

  expect(reasons).toEqual([{ reason: 'issuer' }, { reason: 'malformed' }]);
  expect(fetch, 'for the keys of the settings alone').toHaveBeenCalledOnce();
});
