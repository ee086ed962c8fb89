import { describe, expect, it } from 'vitest';

import { roleSettings } from '../settings/roles.ts';
import { sessionOf } from './database-session.ts';
import type { Claims } from './row-claims.ts';

/** Roles whose sessions have these settings. */
const rolesOf = (settings: Record<string, string>, others: Record<string, string> = {}) => ({
  tenant: roleSettings.parse({
    models: 'all',
    database_session: { role: 'tenant', settings, trusts: ['auth.uid()'] },
  }),
  other: roleSettings.parse({
    models: 'all',
    database_session: { role: 'other', settings: others },
  }),
  plain: roleSettings.parse({ models: 'all' }),
});

const settingsOf = (value: string, claims: Claims) =>
  sessionOf(rolesOf({ 'app.x': value }), 'tenant', claims)?.settings['app.x'];

describe('the database session of a token', () => {
  it('has the role, and functions that are trusted', () => {
    const session = sessionOf(rolesOf({}), 'tenant', {});
    expect(session).toEqual({ role: 'tenant', settings: {}, trusts: ['auth.uid()'] });
  });

  it('is none where its role has none', () => {
    expect(sessionOf(rolesOf({}), 'plain', {})).toBeUndefined();
    expect(sessionOf(rolesOf({}), 'toString', {})).toBeUndefined();
  });

  it.each([
    ['north', 'north', {}],
    ['$claims.tenant', 'a', { tenant: 'a' }],
    ['$claims.tenant', '7', { tenant: 7 }],
    ['$claims.tenant', '-9007199254740991', { tenant: -9_007_199_254_740_991 }],
    ['$claims.tenant', '0.1', { tenant: 0.1 }],
    ['$claims.tenant', 'true', { tenant: true }],
    ['$claims.tenant', '["a","b"]', { tenant: ['a', 'b'] }],
    ['$claims.org.id', '7', { org: { id: 7 } }],
    ['$claims.https://shop.example/tenant', 'a', { 'https://shop.example/tenant': 'a' }],
    ['$claims', '{"sub":"a","aud":"b"}', { sub: 'a', exp: 1, iat: 2, aud: 'b', nbf: 3, jti: 'x' }],
    ['$claims.tenant', String.raw`\ud8fz \u000z`, { tenant: String.raw`\ud8fz \u000z` }],
    ['$claims', '{}', {}],
  ])('has for %s the text %s', (value, text, claims) => {
    expect(settingsOf(value, claims)).toBe(text);
  });

  it('sets what other roles have to an empty text', () => {
    const roles = rolesOf({ 'app.b': 'x' }, { 'app.a': '$claims.a' });
    expect(sessionOf(roles, 'tenant', {})?.settings).toEqual({ 'app.a': '', 'app.b': 'x' });
  });

  it.each([{}, { tenant: null }, { tenant: undefined }])(
    'is refused to a token without the claim: %j',
    (claims) => {
      expect(() => settingsOf('$claims.tenant', claims)).toThrow(
        expect.objectContaining({
          code: 'claim_missing',
          message: 'The token lacks claims.tenant.',
        }),
      );
    },
  );

  it.each(['a\0b', String.raw`a\u0000b`, 'a\uD800b', String.raw`a\udfffb`])(
    'is refused to a token with a claim that the database cannot hold: %j',
    (tenant) => {
      for (const [value, claims] of [
        ['$claims.tenant', { tenant }],
        ['$claims', { nested: [{ tenant }] }],
        ['$claims', { [tenant]: 1 }],
      ] as const)
        expect(() => settingsOf(value, claims)).toThrow(
          expect.objectContaining({
            code: 'claim_missing',
            message: `The database cannot hold ${value.slice(1)} of the token.`,
          }),
        );
    },
  );

  it.each(['9007199254740993', '-9007199254740993', '1e300', '1e999'])(
    'is refused to a token with a number whose digits are lost: %s',
    (tenant) => {
      for (const [value, text] of [
        ['$claims.tenant', `{"tenant":${tenant}}`],
        ['$claims.tenant', `{"tenant":{"ids":[1,${tenant}]}}`],
        ['$claims', `{"sub":"a","nested":[{"tenant":${tenant}}]}`],
      ] as const)
        expect(() => settingsOf(value, JSON.parse(text) as Claims)).toThrow(
          expect.objectContaining({
            code: 'claim_missing',
            message:
              `A number in ${value.slice(1)} of the token is too large to be read exactly. ` +
              'Write it as a text there.',
          }),
        );
    },
  );

  it('is given to a token with such a number in a claim that its settings do not name', () => {
    const claims = JSON.parse('{"tenant":7,"other":9007199254740993,"exp":1e300}') as Claims;
    expect(settingsOf('$claims.tenant', claims)).toBe('7');
    expect(settingsOf('$claims', { sub: 'a', exp: claims['exp'] })).toBe('{"sub":"a"}');
  });
});
