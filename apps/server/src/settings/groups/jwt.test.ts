import { describe, expect, it } from 'vitest';

import { jwtIssuers, jwtSettings } from './jwt.ts';

const ISSUER = {
  issuer: 'https://issuer.example/realms/shop/',
  audience: 'api',
  jwks_url: 'https://issuer.example/keys',
  roles: { staff: 'reader' },
};

describe('an issuer in the settings', () => {
  it('needs no more than its URLs, an audience and roles', () => {
    expect(jwtSettings.parse(ISSUER)).toEqual({
      ...ISSUER,
      roles: new Map([['staff', 'reader']]),
      algorithms: ['RS256', 'ES256'],
      clock_skew_seconds: 30,
      role_claim: 'roles',
      name_claim: 'sub',
    });
  });

  it.each([
    { algorithms: ['HS256'] },
    { algorithms: ['none'] },
    { algorithms: [] },
    { clock_skew_seconds: 31 },
    { clock_skew_seconds: -1 },
    { clock_skew_seconds: 0.5 },
    { audience: '' },
    { audience: [] },
    { audience: undefined },
    { issuer: 'issuer' },
    { issuer: undefined },
    { roles: {} },
    { roles: { staff: '' } },
    { roles: undefined },
    { role_claim: '' },
    { secret: 'x' },
    { jwks_url: undefined },
    { jwks_url: 'http://issuer.example/keys' },
    { jwks_url: 'http://127.0.0.1.issuer.example/keys' },
    { jwks_url: 'http://localhost@issuer.example/keys' },
    { jwks_url: 'https://user:password@issuer.example/keys' },
    { jwks_url: 'file:///etc/keys.json' },
    { jwks_url: 'data:application/json,{}' },
    { jwks_url: '/keys' },
  ])('is refused with %j', (changed) => {
    expect(jwtSettings.safeParse({ ...ISSUER, ...changed }).success).toBe(false);
  });

  it.each([
    'http://localhost:8080/keys',
    'http://127.0.0.1/keys',
    'http://127.1/keys',
    'http://[::1]:9/keys',
  ])('may have its keys at %s', (url) => {
    expect(jwtSettings.parse({ ...ISSUER, jwks_url: url }).jwks_url).toBe(url);
  });

  it('may be listed only once', () => {
    expect(jwtIssuers.parse(undefined)).toEqual([]);
    expect(
      jwtIssuers.safeParse([ISSUER, { ...ISSUER, issuer: 'https://issuer.example/realms/shop' }])
        .success,
    ).toBe(true);
    expect(
      jwtIssuers.safeParse([ISSUER, { ...ISSUER, audience: 'other' }]).error?.issues[0]?.message,
    ).toBe('expected each issuer once');
  });
});
