import { expect, it } from 'vitest';

import { buildOf, columnOf, tableOf } from '../../../test/unit/models.ts';
import { EVERYTHING } from '../grant.ts';
import { catalogueEntry } from '../document.ts';
import type { Relation } from '../relation.ts';
import type { BuiltCatalogue } from './build.ts';

const table = (name: string, changes: Partial<Relation> = {}): Relation =>
  tableOf(name, [columnOf('id', 'int64', false), columnOf('customer_id', 'int64', false)], {
    uniqueKeys: [[{ column: 'id' }]],
    ...changes,
  });

const FOREIGN_KEYS = [{ columns: ['customer_id'], relation: ['customers'], key: ['id'] }];

const TABLES = [table('customers'), table('orders', { foreignKeys: FOREIGN_KEYS })];

function build(databaseName?: string, prefix = databaseName): BuiltCatalogue {
  return buildOf(TABLES, { databaseName, prefix });
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
  const plain = buildOf(TABLES, { databaseName: 'local' });
  const joined = new Map([...build('shop').catalogue, ...plain.catalogue]);
  const targets = (name: string) =>
    catalogueEntry(joined, EVERYTHING, name)?.references?.map(({ model }) => model);
  expect(targets('shop.orders')).toEqual(['shop.customers']);
  expect(targets('orders')).toEqual(['customers']);
});
