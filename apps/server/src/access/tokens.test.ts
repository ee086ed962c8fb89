import { expect, it } from 'vitest';

import { sha256, TokenRegister } from './tokens.ts';

const entry = { name: 'guest', role: 'reader', claims: {}, sha256: sha256('guest-token') };

it('a token that was found before is no longer found from the day of its expiry on', () => {
  const register = new TokenRegister([{ ...entry, expires: '2030-06-01' }], undefined);
  const lastMoment = new Date('2030-05-31T23:59:59.999Z');
  expect(register.find('guest-token', lastMoment)).toMatchObject({ name: 'guest' });
  expect(register.find('guest-token', lastMoment)).toMatchObject({ name: 'guest' });
  expect(register.find('guest-token', new Date('2030-06-01T00:00:00Z'))).toBeUndefined();
});

it('a token without an expiry is found at any time, and the admin token is found as such', () => {
  const register = new TokenRegister([entry], 'admin-token');
  expect(register.find('guest-token', new Date('2999-01-01'))).toMatchObject({ name: 'guest' });
  expect(register.find('admin-token')).toBe('admin');
  expect(register.find('other-token')).toBeUndefined();
});
