import type { ModelEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { attributeOf, CITIES } from './cities-model.test-data.ts';
import { labelOf, labelsOf } from './labels.ts';

const named = (changes: Partial<ModelEntry>): string | undefined =>
  labelOf({ ...CITIES, ...changes })?.name;

const code = attributeOf('code', 'text', false);

it('a record is known by the attribute that the catalogue says, whatever its type', () => {
  expect(named({ label: 'population' })).toBe('population');
});

it('a record is known by its name where the catalogue says nothing, or what is not visible', () => {
  expect(named({})).toBe('name');
  expect(named({ label: 'hidden' })).toBe('name');
});

it('a record is known by its code where it has no name, and by its key where it has neither', () => {
  expect(named({ attributes: [attributeOf('id', 'int64'), code] })).toBe('code');
  expect(named({ attributes: [code], key: ['code'] })).toBeUndefined();
  expect(named({ attributes: [attributeOf('name', 'json')] })).toBeUndefined();
});

it('columns that refer to records have their labels, as paths', () => {
  const places: ModelEntry = {
    ...CITIES,
    name: 'places',
    attributes: [attributeOf('city_id', 'int64')],
    references: [{ name: 'city', attributes: ['city_id'], model: 'cities', key: ['id'] }],
  };
  const others = [{ ...CITIES, label: 'population' }];
  const labels = labelsOf(['city_id'], { ...places, others });
  expect([...labels].map(([column, { name, type }]) => [column, name, type])).toEqual([
    ['city_id', 'city.population', 'int32'],
  ]);
  expect(labelsOf([], { ...places, others }).size).toBe(0);
  expect(labelsOf(['city_id'], { ...places, others }, 8).size).toBe(0);
});
