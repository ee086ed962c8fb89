import { describe, expect, expectTypeOf, it } from 'vitest';

import {
  attributeSchema,
  type CatalogueDocument,
  catalogueSchema,
  type ModelEntry,
  modelSchema,
} from './catalogue.ts';

const attribute = {
  name: 'population',
  type: 'int64',
  nullable: true,
  description: 'Inhabitants at the last census',
  operators: ['eq', 'gte', 'between'],
  sortable: true,
};

const cities = {
  name: 'cities',
  description: null,
  attributes: [{ ...attribute, name: 'id', nullable: false, description: null }, attribute],
  key: ['id'],
  default_sort: [{ attribute: 'population', direction: 'desc', nulls: 'last' }],
  max_page_size: 1000,
};

describe('the catalogue', () => {
  it('is accepted as the contract shows it', () => {
    expect(catalogueSchema.parse({ models: [cities] })).toStrictEqual({ models: [cities] });
    expect(modelSchema.parse(cities)).toStrictEqual(cities);
  });

  it('may be empty, for a token that sees nothing', () => {
    expect(catalogueSchema.parse({ models: [] })).toStrictEqual({ models: [] });
  });

  it.each(Object.keys(cities))('has a model with its %s, always', (member) => {
    expect(modelSchema.safeParse({ ...cities, [member]: undefined }).success).toBe(false);
  });

  it.each(Object.keys(attribute))('has an attribute with its %s, always', (member) => {
    expect(attributeSchema.safeParse({ ...attribute, [member]: undefined }).success).toBe(false);
  });

  it('may have an attribute of a type that only a newer version knows', () => {
    expect(attributeSchema.safeParse({ ...attribute, type: 'vector' }).success).toBe(true);
  });

  it('sorts in no other direction than asc and desc', () => {
    const default_sort = [{ attribute: 'population', direction: 'DESC', nulls: 'last' }];
    expect(modelSchema.safeParse({ ...cities, default_sort }).success).toBe(false);
  });

  it('has models of one type', () => {
    expectTypeOf<CatalogueDocument['models'][number]>().toEqualTypeOf<ModelEntry>();
  });
});
