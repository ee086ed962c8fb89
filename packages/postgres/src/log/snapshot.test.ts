import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { TransactionSnapshot } from './snapshot.ts';

/** Ids of transactions begin here, beyond the 32 bits of one epoch and beyond exact doubles. */
const FIRST = 2n ** 53n;

const LAST = 12;

const IDS = Array.from({ length: LAST + 3 }, (_, index) => FIRST + BigInt(index));

/** The text of the snapshot in which exactly these transactions, of those up to a last, ended. */
function textOf(ended: ReadonlySet<bigint>): string {
  const xmax = IDS.filter((xid) => ended.has(xid)).at(-1) ?? FIRST - 1n;
  const running = IDS.filter((xid) => xid <= xmax && !ended.has(xid));
  return `${running[0] ?? xmax + 1n}:${xmax + 1n}:${running.join(',')}`;
}

const ENDED = fc.subarray(IDS.slice(0, LAST)).map((ended) => new Set<bigint>(ended));

describe('a snapshot', () => {
  it('sees the transactions that had ended, and no others', () => {
    fc.assert(
      fc.property(ENDED, (ended) => {
        const snapshot = TransactionSnapshot.parse(textOf(ended));
        expect(IDS.filter((xid) => snapshot.sees(xid))).toEqual([...ended]);
        expect(snapshot.sees(FIRST - 1n)).toBe(true);
      }),
    );
  });

  it('sees all of another one exactly if every transaction that had ended then has ended', () => {
    fc.assert(
      fc.property(ENDED, ENDED, (before, after) => {
        const one = TransactionSnapshot.parse(textOf(before));
        const other = TransactionSnapshot.parse(textOf(after));
        expect(other.seesAllOf(one)).toBe([...before].every((xid) => after.has(xid)));
        expect(one.seesAllOf(one)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('has no running transactions where its text names none', () => {
    expect([...TransactionSnapshot.parse('12:12:').xip]).toEqual([]);
    expect([...TransactionSnapshot.parse('12:15:12,14').xip]).toEqual([12n, 14n]);
  });

  it('is refused where its text is not one', () => {
    for (const text of ['', '1:2', '1:2:3,', '1:2:a', '-1:2:', '1:2: 3', '1:2:\n'])
      expect(() => TransactionSnapshot.parse(text)).toThrow('is not a snapshot');
  });
});
