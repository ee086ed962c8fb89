import { expect, test } from 'vitest';

import { faultOf } from './check.ts';

const ITEM = {
  id: '1',
  created_at: '2020-01-01T00:00:01',
  name: 'item 1',
  amount: '79.19',
  flag: false,
};
const TRUTH = { items: [ITEM], total: '42' };
const REQUEST = { page: 3, size: 1 };
const PAGE = { page: '3', size: '1', total: '42', has_next: true };

function fault(reply: unknown): string | undefined {
  return faultOf(JSON.stringify(reply), REQUEST, TRUTH);
}

test('a reply with the rows and the total of the database has no fault', () => {
  expect(fault({ result: [ITEM], page: PAGE })).toBeUndefined();
});

test('a reply that claims no total is judged by its rows', () => {
  expect(fault({ result: [ITEM], page: { page: '3', size: '1' } })).toBeUndefined();
  expect(fault({ result: [], page: { page: '3', size: '1' } })).toBe('there are 1 rows, not 0');
});

test('a wrong total, a wrong row and a wrong page are faults', () => {
  expect(fault({ result: [ITEM], page: { ...PAGE, total: '41' } })).toBe('the total is 42, not 41');
  expect(fault({ result: [{ ...ITEM, amount: '79.2' }], page: PAGE })).toContain('row 0 is');
  expect(fault({ result: [ITEM], page: { ...PAGE, page: '2' } })).toBe('it answers another page');
});
