import { expect, it } from 'vitest';

import { settingsSchema } from './schema.ts';
import { fromSentSettings, toSentSettings } from './sent-settings.ts';

/** A key of each depth has a line of its own. */
function place(path: readonly PropertyKey[]): string {
  return `shop.yaml:${path.length}: `;
}

it('settings that went to another process are the same, and so are the places of their keys', () => {
  const settings = settingsSchema.parse({
    database: 'sqlite:shop.db',
    models: { orders: { attributes: { id: {} } } },
    tokens: [{ name: 'grid', role: 'sales', sha256: 'a'.repeat(64) }],
  });
  const known = {
    path: 'shop.yaml',
    notes: ['note'],
    fingerprint: 'f',
    fileHoldsSecret: true,
    ignored: [],
  };
  const loaded = { settings, ...known, place };
  const { place: placeThere, ...there } = fromSentSettings(structuredClone(toSentSettings(loaded)));
  const { place: placeHere, ...here } = loaded;
  expect(there).toEqual(here);
  for (const path of [['models', 'orders', 'attributes', 'id'], ['tokens', 0, 'role'], []])
    expect(placeThere(path)).toBe(placeHere(path));
  // A key that is in no settings has the place of what it would be in.
  expect(placeThere(['models', 'orders', 'attributes', 'gone'])).toBe('shop.yaml:3: ');
});
