import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fromNearerEnd } from './query-statements.ts';

const LIST = {
  relations: [['numbers']],
  rows: { sql: 'rows', parameters: [] },
  reversed: { sql: 'reversed', parameters: [] },
  fields: [],
  maxBytes: 1000,
};

/** What a statement would read of the list 0, 1, 2 …, in the list's order. */
function records(path: NonNullable<ReturnType<typeof fromNearerEnd>>, total: number): number[] {
  const query = Array.from({ length: total }, (_, index) => index);
  const { size, offset } = path.bindings;
  const found = (path.reversed ? query.toReversed() : query).slice(
    Number(offset),
    Number(offset) + size,
  );
  return path.reversed ? found.toReversed() : found;
}

describe('the access path to a page', () => {
  it('finds the same records from either end', () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(70),
        (total, size, offset) => {
          const path = fromNearerEnd(LIST, { size, offset: BigInt(offset) }, BigInt(total));
          const wanted = Array.from({ length: total }, (_, index) => index).slice(
            offset,
            offset + size,
          );
          expect(path === undefined ? [] : records(path, total)).toEqual(wanted);
        },
      ),
    );
  });

  it('never skips more than half of the list', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 20 }),
        fc.nat(999),
        (total, size, offset) => {
          const path = fromNearerEnd(LIST, { size, offset: BigInt(offset) }, BigInt(total));
          expect(Number(path?.bindings.offset ?? 0) * 2).toBeLessThanOrEqual(total);
        },
      ),
    );
  });

  it('is the one from the front where the other is off', () => {
    const path = fromNearerEnd({ ...LIST, reversed: undefined }, { size: 10, offset: 90n }, 100n);
    expect(path).toMatchObject({ reversed: false, bindings: { size: 10, offset: 90n } });
  });

  it('does not exist past the end', () => {
    expect(fromNearerEnd(LIST, { size: 10, offset: 100n }, 100n)).toBeUndefined();
  });
});
