import type { ModelEntry } from '@proj/client';
import { expect, it } from 'vitest';

import { findModels } from './list-models.ts';

const model = (name: string, description: string | null = null): ModelEntry => ({
  name,
  description,
  attributes: [],
  key: [],
  default_sort: [],
  max_page_size: 100,
});
const namesOf = (models: readonly ModelEntry[]): string[] => models.map(({ name }) => name);

it('finds models that have all words somewhere, those with one in their name first', () => {
  const models = [
    model('notes', 'About cities of a country.'),
    model('countries'),
    model('city', 'In a country.'),
  ];
  expect(namesOf(findModels(models, 'City country'))).toEqual(['city', 'notes']);
  expect(namesOf(findModels(models, 'countries'))).toEqual(['countries', 'notes', 'city']);
  expect(findModels(models, ' ')).toEqual(models);
});

it('a search of very many words looks at each model once', () => {
  const models = Array.from({ length: 400 }, (_, at) => model(`m${at}`, 'x'.repeat(50_000)));
  // With the text of a model made anew for each word, this would take many minutes.
  expect(findModels(models, 'x '.repeat(2 ** 19))).toHaveLength(400);
});
