import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { RELOADED_SETTINGS } from '../src/settings/restart.ts';
import { settingsSchema } from '../src/settings/schema.ts';
import { settingsPage } from './settings-page.ts';
import { describeGroup, type Schema } from './settings-values.ts';

const PAGE = new URL('../../../docs/reference/settings.md', import.meta.url);

const SCHEMA = JSON.parse(
  readFileSync(new URL('../settings.schema.json', import.meta.url), 'utf8'),
) as Schema;

const ALL = describeGroup(SCHEMA, []);

it('docs/reference/settings.md is made of the table of the settings (UPDATE_DOCS=1 writes it)', () => {
  const page = settingsPage(SCHEMA);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(page);
});

it('every setting that a reload applies is one of the table', () => {
  const names = new Set(ALL.map(({ path }) => path.join('.')));
  expect(RELOADED_SETTINGS.filter((name) => !names.has(name))).toEqual([]);
});

it('every setting of the table says what it is', () => {
  const silent = ALL.filter(({ setting }) => setting.description?.endsWith('.') !== true);
  expect(silent.map(({ path }) => path.join('.'))).toEqual([]);
});

it.each(['models', 'roles', 'tokens', 'jwt'] as const)(
  'the example of %s is accepted, and has every key of it',
  (key) => {
    const setting = SCHEMA.properties?.[key] ?? {};
    const [example] = setting.examples ?? [];
    const read = settingsSchema.safeParse({ database: 'postgres://db/shop', [key]: example });
    expect(read.error?.issues).toBeUndefined();
    const shown = new Set(keysIn(example));
    const missing = describeGroup(setting, []).filter(
      ({ path }) => path.at(-1) !== '<name>' && !shown.has(path.at(-1)),
    );
    expect(missing.map(({ path }) => path.join('.'))).toEqual([]);
  },
);

/** The keys of all mappings in a value. */
function keysIn(value: unknown): (string | undefined)[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...keysIn(member)]);
}
