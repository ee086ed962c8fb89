import { type ModelEntry, operatorsOf } from '@proj/contract';
import { expect, it } from 'vitest';

import { readBy, readComputed } from './read-groups.ts';

const attribute = (name: string, type: 'text' | 'int64' | 'timestamp') => ({
  name,
  type,
  nullable: true,
  description: null,
  sortable: true,
  operators: operatorsOf(type),
});

const MODEL: ModelEntry = {
  name: 'orders',
  description: null,
  attributes: [
    attribute('amount', 'int64'),
    attribute('note', 'text'),
    attribute('placed_at', 'timestamp'),
    attribute('own.month', 'text'),
  ],
  key: ['amount'],
  default_sort: [],
  max_page_size: 100,
};

it('groups by an attribute, by a part of a date, and by a name that looks like one', () => {
  expect(readBy('note', MODEL)).toBe('note');
  expect(readBy('placed_at.month', MODEL)).toEqual({ attribute: 'placed_at', by: 'month' });
  expect(readBy('own.month', MODEL)).toBe('own.month');
  const inZone = { attribute: 'placed_at', by: 'day', time_zone: 'America/Argentina/Ushuaia' };
  expect(readBy('placed_at.day@America/Argentina/Ushuaia', MODEL)).toEqual(inZone);
});

it.each([
  ['sum(amount)', { name: 'sum_amount', op: 'sum', attribute: 'amount' }],
  [' MAX ( placed_at ) ', { name: 'max_placed_at', op: 'max', attribute: 'placed_at' }],
  ['count_distinct(note)', { name: 'distinct_note', op: 'count_distinct', attribute: 'note' }],
])('reads %s', (text, computed) => {
  expect(readComputed(text, MODEL)).toEqual(computed);
});

it.each([
  ['sum', 'expected count(…), count_distinct(…), sum(…)'],
  ['median(amount)', 'got "median(amount)"'],
  ['sum(note)', 'note is of type text, which has no sum; it has count, count_distinct, min, max'],
])('refuses %s and says what there is', (text, message) => {
  expect(() => readComputed(text, MODEL)).toThrow(message);
});
