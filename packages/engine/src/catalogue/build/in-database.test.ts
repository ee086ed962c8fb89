import { expect, it } from 'vitest';

import { EVERYTHING } from '../grant.ts';
import { catalogueEntry } from '../document.ts';
import type { Relation } from '../relation.ts';
import { buildCatalogue, type BuiltCatalogue } from './build.ts';

const ID = {
  name: 'id',
  databaseType: 'INTEGER',
  type: 'int64',
  nullable: false,
  description: null,
} as const;

function table(name: string, changes: Partial<Relation> = {}): Relation {
  return {
    path: [name],
    name,
    kind: 'table',
    columns: [ID, { ...ID, name: 'customer_id' }],
    keys: [[{ column: 'id' }]],
    uniqueKeys: [[{ column: 'id' }]],
    description: null,
    ...changes,
  };
}

const FOREIGN_KEYS = [{ columns: ['customer_id'], relation: ['customers'], key: ['id'] }];

const TABLES = [table('customers'), table('orders', { foreignKeys: FOREIGN_KEYS })];

function build(databaseName?: string, prefix = databaseName): BuiltCatalogue {
  const settings = { expose: 'all', models: {}, maxPageSize: 10 } as const;
  return buildCatalogue(TABLES, { ...settings, databaseName, prefix });
}

it('the prefix of a database is before its models, and not before its relations', () => {
  const { catalogue, foreignKeys } = build('shop');
  expect([...catalogue.keys()]).toEqual(['shop.customers', 'shop.orders']);
  const orders = catalogue.get('shop.orders');
  expect(orders).toMatchObject({ name: 'shop.orders', database: 'shop' });
  expect(orders?.relations.get('customer')).toMatchObject({
    name: 'customer',
    model: 'shop.customers',
    inverse: 'orders',
  });
  expect(foreignKeys.map(({ model }) => model)).toEqual(['shop.orders']);
});

it('the catalogue of several databases refers from a model to those of its own only', () => {
  const plain = buildCatalogue(TABLES, {
    expose: 'all',
    models: {},
    maxPageSize: 10,
    databaseName: 'local',
  });
  const joined = new Map([...build('shop').catalogue, ...plain.catalogue]);
  const targets = (name: string) =>
    catalogueEntry(joined, EVERYTHING, name)?.references?.map(({ model }) => model);
  expect(targets('shop.orders')).toEqual(['shop.customers']);
  expect(targets('orders')).toEqual(['customers']);
});
