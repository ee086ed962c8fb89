import { describe, expect, it } from 'vitest';

import { ledgerError } from './ledger.ts';

const records = Array.from({ length: 20 }, (_, index) => ({
  batch: String(Math.floor(index / 10)),
  part: index % 10,
  amount: '5',
}));

function reply(result: readonly object[], total: number, hasNext = false): string {
  return JSON.stringify({
    result,
    page: { page: '1', size: '20', total: String(total), has_next: hasNext },
  });
}

describe('a page of the ledger', () => {
  it('of whole batches with a total that fits is right', () => {
    expect(ledgerError(reply(records, 20), 20)).toBeUndefined();
    expect(ledgerError(reply(records, 30, true), 20)).toBeUndefined();
    expect(ledgerError(reply([], 0), 20)).toBeUndefined();
  });

  it.each([
    ['has a total of no committed state', reply(records, 25, true)],
    ['has fewer records than its total says', reply(records.slice(0, 10), 20)],
    ['says that no page follows where one does', reply(records, 30)],
    ['misses a record of a batch', reply([...records.slice(1), records[0] ?? {}], 20)],
    [
      'shows two states of one batch',
      reply(records.with(3, { batch: '0', part: 3, amount: '6' }), 20),
    ],
  ])('that %s is found out', (_what, text) => {
    expect(ledgerError(text, 20)).toBeTypeOf('string');
  });
});
