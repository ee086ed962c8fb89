import { expect, it } from 'vitest';

import {
  RELOADED_SETTINGS,
  sameSettings,
  settingsThatNeedRestart,
  withReloaded,
} from './restart.ts';
import { type Settings, settingsSchema } from './schema.ts';

const RUNNING = settingsSchema.parse({ database: 'sqlite:a.db' });

const ISSUER = {
  issuer: 'https://id.example',
  audience: 'api',
  jwks_url: 'https://id.example/certs',
};

/** Settings of which every reloaded one, and one that is not, differs from those above. */
const LOADED: Settings = {
  ...RUNNING,
  ...Object.fromEntries(RELOADED_SETTINGS.map((name) => [name, `another ${name}`])),
  limits: { ...RUNNING.limits, max_page_size: 7, max_up_to: 9, query_timeout_ms: 8 },
};

it('takes over each setting of the table, and no other', () => {
  const reloaded = withReloaded(RUNNING, LOADED);
  expect(settingsThatNeedRestart(RUNNING, reloaded)).toEqual([]);
  expect(settingsThatNeedRestart(reloaded, LOADED)).toEqual(['limits.query_timeout_ms']);
  for (const name of RELOADED_SETTINGS.filter((one) => !one.includes('.')))
    expect(reloaded).toMatchObject({ [name]: `another ${name}` });
  expect(reloaded.limits).toEqual({ ...RUNNING.limits, max_page_size: 7, max_up_to: 9 });
});

it('takes over a setting that is left out by now', () => {
  expect(withReloaded({ ...RUNNING, token: 'x' }, RUNNING).token).toBeUndefined();
});

it.each([
  [
    'the roles of an issuer',
    (names: readonly string[]) => ({
      jwt: [{ ...ISSUER, roles: Object.fromEntries(names.map((name) => [name, name])) }],
    }),
  ],
  [
    'the attributes of a model',
    (names: readonly string[]) => ({ models: { staff: { attributes: names } } }),
  ],
])('tells settings apart by the order of %s', (_what, settings) => {
  const parsed = (...names: string[]): Settings =>
    settingsSchema.parse({ database: 'sqlite:a.db', ...settings(names) });
  expect(sameSettings(parsed('a', 'b'), parsed('a', 'b'))).toBe(true);
  expect(sameSettings(parsed('a', 'b'), parsed('b', 'a'))).toBe(false);
});
