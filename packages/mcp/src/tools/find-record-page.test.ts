import { expect, it } from 'vitest';

import { rankOf } from './find-record-page.ts';

const pageOf = (...values: unknown[]) => ({
  number: 3,
  size: 10,
  records: values.map((id) => ({ id, name: 'x' })),
});

it('the rank of a record is that of its own key where keys are numbers beyond those of JSON', () => {
  const page = pageOf({ number: '1e400' }, { number: '2e400' }, '{"number":"3e400"}');
  expect(rankOf(page, { id: { number: '2e400' } })).toBe(22n);
  expect(rankOf(page, { id: '{"number":"3e400"}' })).toBe(23n);
  expect(rankOf(page, { id: { number: '3e400' } })).toBeUndefined();
});

it('a key may be a number or its digits', () => {
  expect(rankOf(pageOf('7', 8, 9n), { id: 7 })).toBe(21n);
  expect(rankOf(pageOf('7', 8, 9n), { id: '8' })).toBe(22n);
  expect(rankOf(pageOf('7', 8, 9n), { id: 9 })).toBe(23n);
  expect(rankOf(pageOf(null), { id: null })).toBe(21n);
});
