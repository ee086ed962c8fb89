import { expect, it } from 'vitest';

import type { ModelEntry } from './catalogue.ts';
import { groupAttributes } from './group-attributes.ts';

const attribute = (name: string, type: string): ModelEntry['attributes'][number] => {
  return { name, type, nullable: true, description: null, operators: [], sortable: true };
};

const ORDERS: ModelEntry = {
  name: 'orders',
  description: null,
  attributes: [attribute('at', 'timestamp'), attribute('amount', 'decimal')],
  key: [],
  default_sort: [],
  max_page_size: 10,
  references: [{ name: 'buyer', attributes: ['amount'], model: 'orders', key: ['amount'] }],
};

it('the members of groups have the types that their values have', () => {
  const by = [
    'buyer.amount',
    { attribute: 'at', by: 'month' },
    { attribute: 'at', by: 'hour' },
  ] as const;
  const aggregates = {
    count: { op: 'count' },
    some: { op: 'count_distinct', attribute: 'at' },
    sum: { op: 'sum', attribute: 'amount' },
    last: { op: 'max', attribute: 'buyer.at' },
  } as const;
  const members = groupAttributes({ by, aggregates }, { ...ORDERS, others: [ORDERS] });
  expect(members.map(({ name, type }) => [name, type])).toEqual([
    ['buyer.amount', 'decimal'],
    ['at.month', 'date'],
    ['at.hour', 'timestamp'],
    ['count', 'int64'],
    ['some', 'int64'],
    ['sum', 'decimal'],
    ['last', 'timestamp'],
  ]);
});

it('members of groups that the model does not have are left out', () => {
  const by = ['nothing', { attribute: 'gone', by: 'day' }] as const;
  const aggregates = { sum: { op: 'sum', attribute: 'gone' } } as const;
  expect(groupAttributes({ by, aggregates }, ORDERS)).toEqual([]);
});
