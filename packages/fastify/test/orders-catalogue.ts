import type { Attribute, Catalogue, Model } from '@proj/engine';

function attribute(name: string, type: Attribute['type']): Attribute {
  return {
    name,
    column: name,
    type,
    items: undefined,
    databaseType: type,
    extremes: [],
    storedAs: undefined,
    nullable: true,
    description: null,
    deprecated: null,
  };
}

const ATTRIBUTES = [attribute('id', 'int64'), attribute('region', 'text')];

const ORDERS: Model = {
  name: 'orders',
  description: null,
  path: ['orders'],
  attributes: new Map(ATTRIBUTES.map((each) => [each.name, each])),
  defaultOrder: [],
  key: [{ column: 'id', direction: 'asc', nulls: 'last', nullable: false }],
  columns: new Map(ATTRIBUTES.map((each) => [each.column, each])),
  snapshots: true,
  versioned: true,
  maxPageSize: 100,
  maxUpTo: 1000,
  foreignKeys: [],
  relations: new Map(),
  deprecated: null,
  missing: undefined,
};

/** A catalogue without a database: orders with an id and a region, and invoices like them. */
export const ORDERS_CATALOGUE: Catalogue = new Map([
  ['orders', ORDERS],
  ['invoices', { ...ORDERS, name: 'invoices', path: ['invoices'] }],
]);
