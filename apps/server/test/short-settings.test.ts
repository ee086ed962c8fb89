import { expect, it } from 'vitest';

import { loadSettings } from '../src/settings/file/load.ts';
import { settingsFile } from './settings-files.ts';

async function settingsOf(text: string) {
  const config = settingsFile(`database: sqlite:/x.db\n${text}`);
  return loadSettings({ flags: { config }, env: {} });
}

it.each([
  ['models: { orders: all }', 'models: { orders: { attributes: all } }'],
  ['models: { orders: [id, name] }', 'models: { orders: { attributes: { id: {}, name: {} } } }'],
  [
    'models: { orders: { attributes: [id, name] } }',
    'models: { orders: { attributes: { id: {}, name: {} } } }',
  ],
  ['models: [orders, cities]', 'models: { orders: all, cities: all }'],
  [
    'models: { orders: { default_sort: [id, { attribute: name, direction: desc }] } }',
    'models: { orders: { default_sort: [{ attribute: id }, { attribute: name, direction: desc }] } }',
  ],
  [
    'roles: { clerk: { models: { orders: all } } }',
    'roles: { clerk: { models: { orders: { attributes: all } } } }',
  ],
  [
    'roles: { clerk: { models: { orders: [id, name] } } }',
    'roles: { clerk: { models: { orders: { attributes: [id, name] } } } }',
  ],
  [
    'roles: { clerk: { models: [orders, cities] } }',
    'roles: { clerk: { models: { orders: {}, cities: {} } } }',
  ],
])('the short form %s means %s', async (short, long) => {
  expect(await settingsOf(short)).toEqual(await settingsOf(long));
});

it('each of several databases takes the short forms of models too', async () => {
  const { databases } = await loadSettings({
    flags: {
      config: settingsFile('databases: { shop: { url: "sqlite:/x.db", models: { orders: all } } }'),
    },
    env: {},
  });
  expect(databases?.['shop']?.models).toEqual({ orders: { attributes: 'all' } });
});

it('a list of attributes keeps its order, also where names are digits', async () => {
  const { models } = await settingsOf('models: { orders: ["10", b, "2"] }');
  const attributes = models['orders']?.attributes;
  expect(attributes instanceof Map && [...attributes.keys()]).toEqual(['10', 'b', '2']);
});
