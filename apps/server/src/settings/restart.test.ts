import { expect, it } from 'vitest';

import { RELOADED_SETTINGS, settingsThatNeedRestart, withReloaded } from './restart.ts';
import { type Settings, settingsSchema } from './schema.ts';

const RUNNING = settingsSchema.parse({ database: 'sqlite:a.db' });

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
