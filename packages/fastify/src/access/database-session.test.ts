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
    ['$claims.tenant', 'true', { tenant: true }],
    ['$claims.tenant', '["a","b"]', { tenant: ['a', 'b'] }],
    ['$claims.org.id', '7', { org: { id: 7 } }],
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
});
