import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { temporaryDatabase, until } from '../helper.ts';
import { startServer } from '../server-process.ts';
import { startIssuer } from './issuer.ts';
import { makeKey } from './tokens.ts';

const PAGE = new URL('../../../../docs/how-to/use-an-issuer.md', import.meta.url);

/** The settings of the page, for an issuer and a table that are there. */
function settingsOfPage(issuer: string, file: string): string {
  const [, yaml = ''] =
    /^```yaml title="dynamic-query.yaml"\n(.*?)^```$/ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
  return yaml
    .replaceAll('https://id.example.com/realms/shop', issuer)
    .replace('sqlite:shop.db', `sqlite:${file}`)
    .replace('orders:', 'cities:');
}

it('a service with the settings of the page takes tokens of an issuer, also after its key has changed', async () => {
  const { directory, file } = temporaryDatabase();
  const issuer = await startIssuer(makeKey('old', 'RS256'));
  const config = join(directory, 'dynamic-query.yaml');
  writeFileSync(config, settingsOfPage(issuer.settings.issuer, file));
  const { origin, output } = await startServer(['--config', config]);
  const ask = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${origin}/api/v1/dynamic/models/cities`, { headers })).status;
  };
  const old = await issuer.token();
  expect(await ask(old)).toBe(200);
  issuer.restart(makeKey('new', 'RS256'));
  const fresh = await issuer.token();
  await until(async () => (await ask(fresh)) === 200);
  expect(await ask(old)).toBe(401);
  await until(() => output().includes('its issuer does not publish the key that it names'));
});
