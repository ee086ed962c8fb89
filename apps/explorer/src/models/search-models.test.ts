import { expect, it } from 'vitest';

import { CITIES } from '../state/cities-model.test-data.ts';
import { searchModels } from './search-models.ts';

const countries = { ...CITIES, name: 'countries', description: null, attributes: [] };
const models = [CITIES, countries];
const found = (text: string) =>
  searchModels(models, text).map(({ model, attributes }) => [model.name, ...attributes]);

it.each([
  ['', [['cities'], ['countries']]],
  [' CIT ', [['cities']]],
  ['popul', [['cities', 'population']]],
  ['places', [['cities']]],
  ['a', [['cities', 'name', 'population', 'area']]],
  ['zebra', []],
])('finds for "%s" %j', (text, names) => {
  expect(found(text)).toEqual(names);
});
