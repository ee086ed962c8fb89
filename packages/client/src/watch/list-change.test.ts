import { expect, it } from 'vitest';

import { listChange } from './list-change.ts';

const state = (total: bigint | null, dataVersion: string | null = null) => ({ total, dataVersion });

it.each([
  [state(42n, 'a'), state(54n, 'b'), 12n, '12 more'],
  [state(42n), state(54n), 12n, '12 more'],
  [state(5000n, 'a'), state(0n, 'b'), -5000n, '5,000 fewer'],
  [state(42n, 'a'), state(42n, 'b'), 0n, 'changed'],
  [state(null, 'a'), state(null, 'b'), null, 'changed'],
  [state(42n, 'a'), state(null, 'b'), null, 'changed'],
  [state(42n, 'a'), state(43n), 1n, '1 more'],
])('says how a list that was %o differs where it is %o', (known, now, more, text) => {
  expect(listChange(known, now)).toEqual({ more, text });
});

it.each([
  [state(42n, 'a'), state(42n, 'a')],
  [state(null, 'a'), state(null, 'a')],
  [state(42n), state(42n)],
  [state(42n, 'a'), state(42n)],
])('finds no difference between %o and %o', (known, now) => {
  expect(listChange(known, now)).toBeNull();
});
