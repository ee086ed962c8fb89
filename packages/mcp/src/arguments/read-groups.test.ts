import { type ModelEntry, operatorsOf } from '@proj/contract';
import { expect, it } from 'vitest';

import { readBy, readCompute } from './read-groups.ts';

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
  const odd = { attribute: 'day.day@home', by: 'day', time_zone: 'UTC' };
  expect(readBy('day.day@home.day@UTC', MODEL)).toEqual(odd);
  expect(readBy('placed_at.day@', MODEL)).toBe('placed_at.day@');
});

it.each([
  ['sum(amount)', { name: 'sum_amount', op: 'sum', attribute: 'amount' }],
  [' MAX ( placed_at ) ', { name: 'max_placed_at', op: 'max', attribute: 'placed_at' }],
  ['sum(amount(net) )', { name: 'sum_amount_net_', op: 'sum', attribute: 'amount(net)' }],
  ['count_distinct(note)', { name: 'distinct_note', op: 'count_distinct', attribute: 'note' }],
])('reads %s', (text, computed) => {
  expect(readCompute([text], MODEL, [])).toEqual([computed]);
});

it.each([
  ['sum', 'expected count(…), count_distinct(…), sum(…)'],
  ['sum)', 'got "sum)"'],
  ['sum( )', 'got "sum( )"'],
  ['sum(amount', 'got "sum(amount"'],
  ['median(amount)', 'got "median(amount)"'],
  ['sum(note)', 'note is of type text, which has no sum; it has count, count_distinct, min, max'],
])('refuses %s and says what there is', (text, message) => {
  expect(() => readCompute([text], MODEL, [])).toThrow(message);
});

it('computes two things whose names would be equal, and once what is asked for twice', () => {
  const texts = ['sum(a_b)', 'sum(a.b)', ' SUM( a_b )'];
  expect(readCompute(texts, MODEL, ['sum_a_b'])).toEqual([
    { name: 'sum_a_b_2', op: 'sum', attribute: 'a_b' },
    { name: 'sum_a_b_3', op: 'sum', attribute: 'a.b' },
  ]);
});

const LONG = 2 ** 20;

// In steps that grow with the square of its length, each would take many minutes.
it.each([
  ['blanks and no end', `sum(${' '.repeat(LONG)}x`],
  ['blanks behind a name', `sum(a${' '.repeat(LONG)})${' '.repeat(LONG)}x`],
  ['blanks and no bracket', `sum${' '.repeat(LONG)}x`],
  ['a long word', `${'w'.repeat(LONG)} x`],
  ['brackets', `sum${'(x)'.repeat(LONG / 4)}x`],
])('reads a long term in a time that grows with its length: %s', (_what, text) => {
  expect(() => readCompute([text], MODEL, [])).toThrow('compute: expected count(…)');
});

it.each([
  ['parts of time', `${'x.y@'.repeat(LONG / 4)}\n`],
  ['days', `${'x.day@a'.repeat(LONG / 8)}@`],
  ['dots', '.'.repeat(LONG)],
  ['letters', `.${'y'.repeat(LONG)}!`],
])('reads a long group in a time that grows with its length: %s', (_what, text) => {
  expect(readBy(text, MODEL)).toBe(text);
});
