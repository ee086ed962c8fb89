import { expect, it } from 'vitest';

import { generateToken, isExpired, sha256, TokenRegister } from './tokens.ts';

const entry = { name: 'guest', role: 'reader', claims: {}, sha256: sha256('guest-token') };

it('a token that was found before is no longer found from the day of its expiry on', () => {
  const register = new TokenRegister([{ ...entry, expires: '2030-06-01' }], undefined);
  const lastMoment = new Date('2030-05-31T23:59:59.999Z');
  expect(register.find('guest-token', lastMoment)).toMatchObject({ name: 'guest' });
  expect(register.find('guest-token', lastMoment)).toMatchObject({ name: 'guest' });
  expect(register.find('guest-token', new Date('2030-06-01T00:00:00Z'))).toBe('expired');
});

it('a token without an expiry is found at any time, and the admin token is found as such', () => {
  const register = new TokenRegister([entry], 'admin-token');
  expect(register.find('guest-token', new Date('2999-01-01'))).toMatchObject({ name: 'guest' });
  expect(register.find('admin-token')).toBe('admin');
  expect(register.find('other-token')).toBeUndefined();
});

it('finds no token where none is listed and there is no admin token', () => {
  expect(new TokenRegister([], undefined).find('undefined')).toBeUndefined();
});

it('makes tokens of 256 random bits, with a prefix that secret scanners look for', () => {
  const tokens = Array.from({ length: 100 }, generateToken);
  expect(tokens.filter((token) => !/^dq_[\w-]{43}$/.test(token))).toEqual([]);
  expect(new Set(tokens).size).toBe(100);
});

it('hashes a token as sha256sum does', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it.each([
  [undefined, '2999-01-01', false],
  ['2030-06-01', '2030-05-31T23:59:59.999Z', false],
  ['2030-06-01', '2030-06-01T00:00:00Z', true],
  ['2030-06-01', '2031-01-01', true],
])('a token that expires on %s has expired at %s: %s', (expires, now, expired) => {
  expect(isExpired(expires, new Date(now))).toBe(expired);
});
