import { expect, it } from 'vitest';

import { encode } from '../../../test/jwt/tokens.ts';
import { looksLikeJwt, readUnverified } from './jwt-unverified.ts';

const HEADER = { alg: 'ES256' };
const CLAIMS = { iss: 'https://issuer.example' };

const tokenOf = (header: object | string, claims: object | string): string =>
  `${encode(header)}.${encode(claims)}.c2ln`;

it.each(['a.b.c', 'eyJ.eyJ._-', `${'a'.repeat(8188)}.b.c`])('%s looks like a JWT', (token) => {
  expect(looksLikeJwt(token)).toBe(true);
});

it.each(['', 'dq_a', 'a.b', 'a.b.c.d', 'a..c', ' a.b.c', 'a.b.c ', `${'a'.repeat(8189)}.b.c`])(
  '%j does not look like a JWT',
  (token) => {
    expect(looksLikeJwt(token)).toBe(false);
  },
);

it('reads the header and the claims that decide who verifies a token', () => {
  const header = { ...HEADER, typ: 'at+jwt', kid: 'one', jku: 'https://attacker.example' };

  expect(readUnverified(tokenOf(header, { ...CLAIMS, iat: 1, sub: 'app' }))).toEqual({
    header: { alg: 'ES256', typ: 'at+jwt', kid: 'one' },
    claims: { iss: 'https://issuer.example', iat: 1 },
  });
  expect(readUnverified(tokenOf(HEADER, CLAIMS))).toEqual({ header: HEADER, claims: CLAIMS });
});

it.each([
  ['a part that is spelt in another way', `${encode(HEADER)}.${encode(CLAIMS)}.c2n`],
  ['no claims', encode(HEADER)],
  ['a header that is no object', tokenOf('"ES256"', CLAIMS)],
  ['a header without an algorithm', tokenOf({}, CLAIMS)],
  ['a type that is no text', tokenOf({ ...HEADER, typ: 1 }, CLAIMS)],
  ['claims without an issuer', tokenOf(HEADER, {})],
  ['a time of issue that is no number', tokenOf(HEADER, { ...CLAIMS, iat: '1' })],
  ['a claim that is named twice', tokenOf(HEADER, '{"iss":"https://a","iss":"https://b"}')],
  ['claims that are no JSON', tokenOf(HEADER, 'iss')],
])('reads nothing of a token with %s', (_name, token) => {
  expect(readUnverified(token)).toBeUndefined();
});
