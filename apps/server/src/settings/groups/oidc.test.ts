import { describe, expect, it } from 'vitest';

import { oidcIssuerError, oidcSettings } from './oidc.ts';

const ISSUER = 'https://id.example.com/realms/shop';

describe('the sign-in in the settings', () => {
  it('needs no more than an issuer and a client', () => {
    expect(oidcSettings.parse({ issuer: ISSUER, client_id: 'explorer' })).toEqual({
      issuer: ISSUER,
      client_id: 'explorer',
      scopes: ['openid'],
      parameters: {},
    });
  });

  it.each([
    { issuer: 'http://id.example.com/realms/shop' },
    { issuer: 'id.example.com' },
    { issuer: undefined },
    { client_id: '' },
    { client_id: undefined },
    { client_secret: 'secret' },
    { scopes: [] },
    { scopes: ['profile'] },
    { scopes: ['openid profile'] },
    { parameters: { state: 'mine' } },
    { parameters: { redirect_uri: 'https://elsewhere.example.com/' } },
    { parameters: { code_challenge_method: 'plain' } },
    { parameters: { max_age: 5 } },
  ])('is refused with %j', (changed) => {
    const settings = { issuer: ISSUER, client_id: 'explorer', ...changed };
    expect(oidcSettings.safeParse(settings).success).toBe(false);
  });

  it('may ask for more', () => {
    const more = { scopes: ['openid', 'api://shop/read'], parameters: { audience: 'shop' } };
    expect(oidcSettings.parse({ issuer: ISSUER, client_id: 'explorer', ...more })).toMatchObject(
      more,
    );
  });

  it('is of an issuer whose tokens are taken', () => {
    const error = (...issuers: string[]) =>
      oidcIssuerError(
        { issuer: ISSUER },
        issuers.map((issuer) => ({ issuer })),
      );
    expect(error('https://other.example.com', ISSUER)).toBeUndefined();
    expect(error()).toMatch(
      /^no entry of `jwt` has this issuer.*Add one with `issuer`, `audience`/,
    );
    expect(error(`${ISSUER}/`)).toBe(
      `\`jwt\` has this issuer as ${ISSUER}/. Write it in both as its tokens have it (\`iss\`).`,
    );
  });
});
