import { expect, it } from 'vitest';

import type { AttributeEntry, ModelEntry } from '../replies/catalogue.ts';
import { operatorsOf } from '../operators.ts';
import { printRelated } from '../text/print-filter.ts';
import type { WireType } from '../wire-types.ts';
import { compileRelated } from './compile-related.ts';

function entry(name: string, type: WireType): AttributeEntry {
  const operators = operatorsOf(type);
  return { name, type, nullable: true, description: null, operators, sortable: true };
}

function model(name: string, attributes: AttributeEntry[], inverse?: string): ModelEntry {
  const reference = { name: 'customer', attributes: ['c'], model: 'customers', key: ['id'] };
  return {
    name,
    description: null,
    attributes,
    key: ['id'],
    default_sort: [],
    max_page_size: 100,
    ...(inverse !== undefined && { references: [{ ...reference, inverse }] }),
  };
}

const ORDERED = [entry('id', 'int64'), entry('amount', 'decimal'), entry('note', 'text')];

const CUSTOMERS = {
  ...model('customers', [entry('id', 'int64')]),
  others: [
    model('orders', ORDERED, 'orders'),
    model('o2', [entry('placed at', 'date')], 'orders.old'),
    model('o3', ORDERED, 'where'),
    model('o4', ORDERED, "it's `x`"),
  ],
};

it.each([
  ['n = count orders', { related: 'orders', op: 'count' }],
  ['n = count orders.note', { related: 'orders', op: 'count', attribute: 'note' }],
  ['n = count orders.old', { related: 'orders.old', op: 'count' }],
  ['n = max `orders.old.placed at`', { related: 'orders.old', op: 'max', attribute: 'placed at' }],
  ['n = count where where note is null', { related: 'where', op: 'count', filter: NULL_NOTE() }],
  ["n = count `it's ``x```", { related: "it's `x`", op: 'count' }],
  [
    'n = sum orders.amount where amount > 1 and not note is null',
    {
      related: 'orders',
      op: 'sum',
      attribute: 'amount',
      filter: {
        and: [{ attribute: 'amount', op: 'gt', value: '1' }, { not: NULL_NOTE() }],
      },
    },
  ],
])('reads and writes %s', (text, term) => {
  const [name, read] = compileRelated(text, CUSTOMERS);
  expect([name, read]).toEqual(['n', term]);
  expect(printRelated(name, read, (attribute) => (attribute === 'amount' ? 'decimal' : ''))).toBe(
    text,
  );
});

function NULL_NOTE(): object {
  return { attribute: 'note', op: 'is_null', value: true };
}

it('takes an operation in any letter case', () => {
  expect(compileRelated('n=COUNT orders WHERE note IS NULL', CUSTOMERS)[1]).toEqual({
    related: 'orders',
    op: 'count',
    filter: NULL_NOTE(),
  });
});

it.each([
  ['', 0, 'expected a text such as "orders_count = count orders"'],
  ['count orders', 6, 'expected "="'],
  ['n = 5', 4, 'expected a text such as'],
  ['n = count', 9, 'expected a text such as'],
  ['n = total orders', 4, 'expected one of count, count_distinct, sum, average, min, max.'],
  ['n = count visits', 10, 'nothing refers to customers by "visits". Names: `it'],
  ['n = max orders', 8, 'max needs an attribute, as in max orders.id.'],
  ['n = max orders.nope', 8, 'orders has no attribute "nope"'],
  ['n = sum orders.note', 8, 'note is of type text, which has no sum; it has count,'],
  ['n = count orders and', 17, 'expected "where" or the end.'],
  ['n = count orders where nope = 1', 23, 'orders has no attribute "nope"'],
  ["n = count orders where note = 'a' 'b'", 34, 'expected "and", "or" or the end.'],
])('says at which place "%s" is wrong', (text, at, message) => {
  expect(() => compileRelated(text, CUSTOMERS)).toThrow(
    expect.objectContaining({ at, message: expect.stringContaining(message) }),
  );
});
