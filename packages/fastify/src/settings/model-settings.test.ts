import { expect, it } from 'vitest';

import { modelSettings, placeInFile } from './model-settings.ts';

it('the models of the settings file become those of the engine', () => {
  const at = { type: 'date', stored_as: 'julian_day' } as const;
  const default_sort = [{ attribute: 'at', direction: 'asc' }] as const;
  const margin = { sql: 'price - cost', type: 'decimal', reads: 'row' } as const;
  const open = { sql: 'select id from orders', reads: ['orders'], key: ['id'] };
  const models = {
    open,
    events: {
      key: ['id'],
      default_sort: [...default_sort],
      max_page_size: 5,
      attributes: new Map<string, typeof at | typeof margin>([
        ['at', at],
        ['margin', margin],
      ]),
    },
    towns: { source: 'cities', attributes: 'all' as const },
    cities: {},
  };
  expect(modelSettings(models)).toEqual({
    open,
    events: {
      key: ['id'],
      defaultSort: default_sort,
      maxPageSize: 5,
      attributes: new Map<string, object>([
        ['at', { type: 'date', storedAs: 'julian_day' }],
        ['margin', margin],
      ]),
    },
    towns: { source: 'cities', attributes: 'all' },
    cities: {},
  });
});

it.each([
  ['models.t.defaultSort.0.attribute', 'models.t.default_sort.0.attribute'],
  ['models.t.maxPageSize', 'models.t.max_page_size'],
  ['models.t.attributes.at.storedAs', 'models.t.attributes.at.stored_as'],
  ['models.maxPageSize.attributes.storedAs.type', 'models.maxPageSize.attributes.storedAs.type'],
  ['models.t.key.x.storedAs', 'models.t.key.x.storedAs'],
  ['roles.r.defaultSort', 'roles.r.defaultSort'],
])('the place %s of the engine is %s in the file', (engine, file) => {
  expect(placeInFile(engine.split('.')).join('.')).toBe(file);
});
