import { type LinkedModel, operatorsOf, type WireType } from '@proj/contract';
import { expect, it } from 'vitest';

import { readGroups } from './group-flags.ts';

const attribute = (name: string, type: WireType) => ({
  name,
  type,
  nullable: true,
  description: null,
  sortable: true,
  operators: operatorsOf(type),
});

const CUSTOMERS: LinkedModel = {
  name: 'customers',
  description: null,
  attributes: [attribute('id', 'int64')],
  key: ['id'],
  default_sort: [],
  max_page_size: 100,
};

const ORDERS: LinkedModel = {
  ...CUSTOMERS,
  name: 'orders',
  attributes: [attribute('customer_id', 'int64'), attribute('distinct_customer_id', 'text')],
  references: [{ name: 'customer', attributes: ['customer_id'], model: 'customers', key: ['id'] }],
  others: [CUSTOMERS],
};

it('all that is asked of groups is computed where two would have one name', () => {
  const countDistinct = 'customer_id,customer.id,customer_id';
  const { aggregates, shown } = readGroups({ by: 'customer_id', countDistinct }, ORDERS);
  expect(aggregates).toEqual({
    distinct_customer_id: { op: 'count_distinct', attribute: 'customer_id' },
    distinct_customer_id_2: { op: 'count_distinct', attribute: 'customer.id' },
  });
  expect(shown.attributes.map(({ name }) => name)).toEqual([
    'customer_id',
    'distinct_customer_id',
    'distinct_customer_id_2',
  ]);
});

it('nothing that is computed has the name of a group attribute', () => {
  const flags = { by: 'distinct_customer_id', countDistinct: 'customer_id', count: true };
  expect(Object.keys(readGroups(flags, ORDERS).aggregates)).toEqual([
    'count',
    'distinct_customer_id_2',
  ]);
});
