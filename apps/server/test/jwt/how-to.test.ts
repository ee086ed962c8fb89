import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, vi } from 'vitest';

import { MODELS_PATH, temporaryDatabase } from '../helper.ts';
import { serviceHere } from '../service-here.ts';
import { startIssuer } from './issuer.ts';
import { makeKey } from './tokens.ts';

const PAGE = new URL('../../../../docs/guides/sign-in.md', import.meta.url);

/** The settings of the page, for an issuer and a table that are there. */
function settingsOfPage(issuer: string, file: string): string {
  const [, yaml = ''] =
    /^```yaml title="keycloak.yaml"\n(.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
  return yaml
    .replaceAll('https://id.example.com/realms/shop', issuer)
    .replace('sqlite:shop.db', `sqlite:${file}`)
    .replace('orders:', 'cities:')
    .replace('preferred_username', 'client_id')
    .replace(/^oidc: .*$/m, '');
}

it('a service with the settings of the page takes tokens of an issuer, also after its key has changed', async () => {
  const started = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: started });
  const { directory, file } = temporaryDatabase();
  const issuer = await startIssuer(makeKey('old', 'RS256'));
  const config = join(directory, 'dynamic-query.yaml');
  writeFileSync(config, settingsOfPage(issuer.settings.issuer, file));
  const { app, lines } = await serviceHere({ flags: { config } });
  const ask = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await app.inject({ url: `${MODELS_PATH}/cities`, headers })).statusCode;
  };
  const old = await issuer.token();
  expect(await ask(old)).toBe(200);
  issuer.restart(makeKey('new', 'RS256'));
  const fresh = await issuer.token();
  expect(await ask(fresh)).toBe(401);
  vi.setSystemTime(started + 5000);
  expect(await ask(fresh)).toBe(200);
  expect(await ask(old)).toBe(401);
  expect(JSON.stringify(lines)).toContain('its issuer does not publish the key that it names');
});
