import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryDatabase } from '../helper.ts';
import { startIssuer, type TestIssuer } from '../jwt/issuer.ts';
import { makeKey } from '../jwt/tokens.ts';
import { serviceHere } from '../service-here.ts';

const oidcOf = (url: string): string => `oidc: { issuer: ${url}, client_id: explorer }`;

function settingsOf({ settings }: TestIssuer, oidc: string): string {
  return `expose: all
roles: { reader: { models: all } }
jwt: [${JSON.stringify({ ...settings, roles: Object.fromEntries(settings.roles) })}]
${oidc}
`;
}

/** A service over a settings file, whose page can be asked for. */
async function startService(text: string) {
  const { directory, file } = temporaryDatabase();
  const config = join(directory, 'settings.yaml');
  const write = (settings: string): void =>
    writeFileSync(config, `database: sqlite:${file}\n${settings}`);
  write(text);
  const { app, load, reload } = await serviceHere({ flags: { config } });
  const page = async () => {
    const { headers, body } = await app.inject('/');
    const [, content] = /<meta name="sign-in" content="([^"]*)">/.exec(body) ?? [];
    return {
      policy: /connect-src [^;]*/.exec(String(headers['content-security-policy']))?.[0],
      etag: headers.etag,
      offer: content && (JSON.parse(content.replaceAll('&quot;', '"')) as unknown),
    };
  };
  const change = async (settings: string): Promise<boolean> => {
    write(settings);
    return reload('settings');
  };
  return { page, change, load };
}

it('the page of the explorer has what it signs in with, and may ask for tokens there alone', async () => {
  const issuer = await startIssuer(makeKey('one', 'RS256'));
  const url = issuer.settings.issuer;
  const oidc = oidcOf(url);
  const { page, change } = await startService(settingsOf(issuer, ''));
  const without = await page();
  expect(without).toMatchObject({ policy: "connect-src 'self'", offer: undefined });

  expect(await change(settingsOf(issuer, oidc))).toBe(true);
  const offered = await page();
  expect(offered.policy).toBe(`connect-src 'self' ${url}/protocol/openid-connect/token`);
  expect(offered.offer).toMatchObject({
    issuer: url,
    client_id: 'explorer',
    scopes: ['openid'],
    audience: ['dynamic-query'],
    provider: { issuer: url, token_endpoint: `${url}/protocol/openid-connect/token` },
  });
  expect(offered.etag).not.toBe(without.etag);
  expect((await page()).etag).toBe(offered.etag);

  issuer.stop();
  expect(await page()).toEqual(offered);
  expect(await change(settingsOf(issuer, ''))).toBe(true);
  expect(await page()).toEqual(without);
});

it('the page offers a provider that is away, and asks nobody but its service', async () => {
  const issuer = await startIssuer(makeKey('one', 'RS256'));
  issuer.stop();
  const oidc = oidcOf(issuer.settings.issuer);
  const { page } = await startService(settingsOf(issuer, oidc));
  expect(await page()).toMatchObject({
    policy: "connect-src 'self'",
    offer: { provider: null, client_id: 'explorer' },
  });
});

it('a sign-in whose tokens would be refused is an error with its place, and a reload keeps the old one', async () => {
  const issuer = await startIssuer(makeKey('one', 'RS256'));
  const { page, change, load } = await startService(
    settingsOf(issuer, oidcOf(issuer.settings.issuer)),
  );
  const before = await page();
  expect(await change(settingsOf(issuer, oidcOf('https://other.example.com')))).toBe(false);
  await expect(load()).rejects.toThrow(
    /settings\.yaml:5: oidc\.issuer: no entry of `jwt` has this issuer, .* docs\/guides\/sign-in\.md/,
  );
  expect(await page()).toEqual(before);
});
