import { SettingsError } from '@proj/engine';
import { expect, it } from 'vitest';

import { loadSettings } from '../src/settings/file/load.ts';
import { settingsJsonSchema } from '../src/settings/json-schema.ts';
import { settingsFile } from './settings-files.ts';
import { describeGroup } from './settings-values.ts';

const PLACES = describeGroup(JSON.parse(JSON.stringify(settingsJsonSchema())), []);

it.each([{ wrong: -1.5 }, { wrong: 'x y!' }, { wrong: ['x y!'] }])(
  'each setting that does not take $wrong says in words of its own what it takes',
  async ({ wrong }) => {
    const refusals = await Promise.all(PLACES.map(({ path }) => refusalOf(path, wrong)));
    const lines = [...new Set(refusals.flat())];
    expect(lines.filter((line) => line.includes(': expected ')).length).toBeGreaterThan(50);
    expect(lines.filter((line) => /: (Invalid|Too|Expected) /.test(line))).toEqual([]);
  },
);

/** The errors of a file that says one thing; none if it is taken. */
async function refusalOf(path: readonly string[], value: unknown): Promise<string[]> {
  const settings = path.reduceRight(
    (inner, key) => (key === '[]' ? [inner] : { [key === '<name>' ? 'a' : key]: inner }),
    value,
  );
  const config = settingsFile(JSON.stringify(settings));
  const error: unknown = await loadSettings({ flags: { config }, env: {} }).catch(
    (reason: unknown) => reason,
  );
  return error instanceof SettingsError ? error.message.replaceAll(config, 'file').split('\n') : [];
}
