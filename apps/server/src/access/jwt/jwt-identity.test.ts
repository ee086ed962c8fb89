import { describe, expect, it } from 'vitest';

import { jwtSettings } from '../../settings/groups/jwt.ts';
import { nameOf, roleOf } from './jwt-identity.ts';

function settings(changed: object) {
  const url = 'https://issuer.example';
  return jwtSettings.parse({
    issuer: url,
    audience: 'api',
    jwks_url: url,
    roles: { boss: 'admin', staff: 'reader' },
    ...changed,
  });
}

describe('the role of a token', () => {
  it.each([
    ['roles', { roles: ['staff'] }, 'reader'],
    ['roles', { roles: 'staff' }, 'reader'],
    ['roles', { roles: ['x', 'staff', 'boss'] }, 'admin'],
    ['roles', { roles: 'staff boss' }, undefined],
    ['roles', { roles: { staff: true } }, undefined],
    ['roles', {}, undefined],
    ['scope', { scope: 'read staff' }, 'reader'],
    ['scope', { scope: 'nostaff' }, undefined],
    ['scp', { scp: 'read staff' }, 'reader'],
    ['realm_access.roles', { realm_access: { roles: ['boss'] } }, 'admin'],
    ['realm_access.roles', { realm_access: ['boss'] }, undefined],
    ['realm_access.roles', { realm_access: null }, undefined],
    ['https://shop.example/roles', { 'https://shop.example/roles': ['staff'] }, 'reader'],
    ['constructor.name', {}, undefined],
  ])('is found by %s in %j', (role_claim, claims, role) => {
    expect(roleOf(claims, settings({ role_claim }))).toBe(role);
  });

  it('is the first of the settings, not of the token', () => {
    const roles = { c: 'third', a: 'first', b: 'second' };
    expect(roleOf({ roles: ['a', 'b', 'c'] }, settings({ roles }))).toBe('third');
  });

  it('is none that only an inherited property names', () => {
    expect(
      roleOf({ roles: ['toString', 'constructor'] }, settings({ roles: { toString2: 'admin' } })),
    ).toBeUndefined();
  });
});

describe('the name of a token', () => {
  it.each([
    ['sub', { sub: 'ann' }, 'ann'],
    ['client.id', { client: { id: 'app' } }, 'app'],
    ['sub', { sub: 7 }, undefined],
    ['sub', { sub: '' }, undefined],
    ['sub', { sub: 'a'.repeat(255) }, 'a'.repeat(255)],
    ['sub', { sub: 'a'.repeat(256) }, undefined],
  ])('is found by %s in %j', (name_claim, claims, name) => {
    expect(nameOf(claims, settings({ name_claim }))).toBe(name);
  });
});
