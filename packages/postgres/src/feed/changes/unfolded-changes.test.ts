import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import type { RelationChange, RowChange } from './transactions.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { deltaOf, UnfoldedChanges } from './unfolded-changes.ts';

const KEY = ['1'];
const ROW = fc.constantFrom<RowChange>({}, { came: KEY }, { went: KEY }, { came: KEY, went: KEY });

/** Changes of some transactions in the order of their commits, which is not that of their ids. */
const CHANGES: fc.Arbitrary<RelationChange[]> = fc
  .uniqueArray(fc.bigInt({ min: 1n, max: 9n }), { maxLength: 7 })
  .chain((xids) =>
    fc.tuple(
      ...xids.map((xid) =>
        fc.record({
          xid: fc.constant(xid),
          rows: fc.array(ROW, { maxLength: 4 }),
          truncated: fc.boolean(),
        }),
      ),
    ),
  );

/** A snapshot that does not see these transactions, of those that have an id below 20. */
function snapshotWithout(xids: ReadonlySet<bigint>): TransactionSnapshot {
  return TransactionSnapshot.parse(`0:20:${[...xids].join()}`);
}

const XIDS = fc.uniqueArray(fc.bigInt({ min: 1n, max: 9n })).map((xids) => new Set(xids));

it('what a snapshot does not see is kept as it was appended, and all else is folded', () => {
  fc.assert(
    fc.property(CHANGES, CHANGES, XIDS, (before, after, hidden) => {
      const kept = new UnfoldedChanges();
      for (const change of before) kept.append(change);
      expect(kept.size).toBe(before.length);
      kept.fold(snapshotWithout(hidden));
      const rest = before.filter(({ xid }) => hidden.has(xid));
      for (const change of after) kept.append(change);
      const all = [...rest, ...after];
      expect(kept.size).toBe(all.length);
      expect(kept.rows).toBe(all.flatMap(({ rows }) => rows).length);
      expect(kept.truncated).toBe(all.some(({ truncated }) => truncated));
      const unseen = all.map((change) => ({ ...change, delta: deltaOf(change) }));
      const snapshot = snapshotWithout(new Set(all.map(({ xid }) => xid)));
      expect(kept.unseen(snapshot)).toMatchObject(unseen);
      kept.foldAll();
      expect([kept.size, kept.rows, kept.truncated]).toEqual([0, 0, false]);
    }),
  );
});

it('versions are equal if and only if two snapshots see the same changes', () => {
  fc.assert(
    fc.property(CHANGES, XIDS, XIDS, XIDS, (changes, folded, one, other) => {
      const kept = new UnfoldedChanges();
      for (const change of changes) kept.append(change);
      kept.fold(snapshotWithout(folded));
      // Each snapshot that is asked about sees what is folded.
      const seenBy = (hidden: ReadonlySet<bigint>): bigint[] =>
        changes.map(({ xid }) => xid).filter((xid) => !(hidden.has(xid) && folded.has(xid)));
      const versions = [one, other].map((hidden) => kept.version(snapshotWithout(hidden)));
      const seen = [one, other].map((hidden) => seenBy(hidden).join());
      expect(versions[0] === versions[1]).toBe(seen[0] === seen[1]);
    }),
    { numRuns: 500 },
  );
});

it('versions are equal of two processes that began at different times', () => {
  fc.assert(
    fc.property(CHANGES, XIDS, fc.nat(6), (changes, hidden, index) => {
      const begin = changes.at(index % (changes.length || 1))?.xid ?? 0n;
      const place = changes.findIndex(({ xid }) => xid === begin);
      const [early, late] = [new UnfoldedChanges(), new UnfoldedChanges()];
      late.begin(begin);
      for (const change of changes) early.append(change);
      // What was committed before is missing, unless it began later.
      const listened = changes.filter(({ xid }, at) => at >= place || xid > begin);
      for (const change of listened) late.append(change);
      const unseen = [...hidden].filter((xid) => xid > begin);
      const snapshot = snapshotWithout(new Set(unseen));
      expect(late.version(snapshot)).toBe(early.version(snapshot));
    }),
    { numRuns: 500 },
  );
});

it('a version counts on where all changes were folded', () => {
  const kept = new UnfoldedChanges();
  const change = { rows: [], truncated: false };
  const all = snapshotWithout(new Set());
  const versions = [kept.version(all)];
  kept.append({ ...change, xid: 1n });
  kept.append({ ...change, xid: 2n });
  kept.foldAll();
  versions.push(kept.version(all));
  kept.append({ ...change, xid: 3n });
  versions.push(kept.version(snapshotWithout(new Set([3n]))), kept.version(all));
  expect(versions).toEqual(['0', '2', '2', '3']);
});

it('the delta of a change is how many rows came, less those that went', () => {
  fc.assert(
    fc.property(fc.array(ROW), (rows) => {
      const count = (wanted: keyof RowChange) => rows.filter((row) => wanted in row).length;
      expect(deltaOf({ xid: 1n, rows, truncated: false })).toBe(count('came') - count('went'));
    }),
  );
});
