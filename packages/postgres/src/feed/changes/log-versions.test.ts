import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { RelationLog } from './relation-log.ts';
import type { RelationChange, RowChange } from './transactions.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';

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

/** A snapshot that sees all transactions below `xmax` without these. */
function snapshotWithout(xids: Iterable<bigint>, xmax = 20n, xmin = 1n): TransactionSnapshot {
  return TransactionSnapshot.parse(`${xmin}:${xmax}:${[...xids].join()}`);
}

/** A log of all transactions from 1 on. */
function logOf(changes: readonly RelationChange[]): RelationLog {
  const log = new RelationLog(0n);
  for (const change of changes) log.append(change);
  return log;
}

function fold(log: RelationLog, snapshot: TransactionSnapshot): void {
  const end = log.beginRead();
  log.noteSnapshot(snapshot);
  end();
}

const XIDS = fc.uniqueArray(fc.bigInt({ min: 1n, max: 9n })).map((xids) => new Set(xids));

it('what a snapshot does not see is kept as it was appended, and all else is folded', () => {
  fc.assert(
    fc.property(CHANGES, CHANGES, XIDS, (before, later, hidden) => {
      const log = logOf(before);
      expect(log.size).toBe(before.length);
      fold(log, snapshotWithout(hidden));
      const after = later.map((change) => ({ ...change, xid: change.xid + 20n }));
      for (const change of after) log.append(change);
      const all = [...before.filter(({ xid }) => hidden.has(xid)), ...after];
      const rows = all.flatMap((change) => change.rows);
      expect([log.size, log.bytes]).toEqual([all.length, 200 * (all.length + rows.length)]);
      const isTruncated = all.some(({ truncated }) => truncated);
      const xids = all.map(({ xid }) => xid);
      const [none, every] = [snapshotWithout(xids, 40n), snapshotWithout([], 40n)];
      expect(log.unseenRows(none)).toEqual(isTruncated ? undefined : rows);
      expect(log.unseenRows(every)).toEqual(isTruncated ? undefined : []);
      expect(log.differingChanges(none, every)).toBe(all.length);
    }),
  );
});

it('versions are equal if and only if two snapshots see the same changes', () => {
  fc.assert(
    fc.property(CHANGES, XIDS, XIDS, XIDS, (changes, folded, one, other) => {
      const log = logOf(changes);
      fold(log, snapshotWithout(folded));
      // Each snapshot that is asked about sees what is folded.
      const hidden = [one, other].map(
        (xids) => new Set([...xids].filter((xid) => folded.has(xid))),
      );
      const seenBy = (xids: ReadonlySet<bigint>): string =>
        changes
          .map(({ xid }) => xid)
          .filter((xid) => !xids.has(xid))
          .join();
      const versions = hidden.map((xids) => log.version(snapshotWithout(xids)));
      expect(versions).not.toContain(undefined);
      const seen = hidden.map(seenBy);
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
      const [early, late] = [logOf(changes), new RelationLog(begin)];
      // What was committed before is missing, unless it began later.
      const listened = changes.filter(({ xid }, at) => at >= place || xid > begin);
      for (const change of listened) late.append(change);
      const unseen = [...hidden].filter((xid) => xid > begin);
      const snapshot = snapshotWithout(unseen, 20n, begin + 1n);
      const version = early.version(snapshot);
      expect(version).toBeDefined();
      expect(late.version(snapshot)).toBe(version);
    }),
    { numRuns: 500 },
  );
});

it('a version counts on where all changes were folded', () => {
  const log = new RelationLog(0n, { changes: 1, rows: 9 });
  const change = { rows: [], truncated: false };
  const versions = [log.version(snapshotWithout([]))];
  log.append({ ...change, xid: 1n });
  log.append({ ...change, xid: 2n });
  const all = snapshotWithout([], 20n, 3n);
  versions.push(log.version(all));
  log.append({ ...change, xid: 3n });
  versions.push(log.version(snapshotWithout([3n], 20n, 3n)), log.version(all));
  expect(versions).toEqual(['0', '2', '2', '3']);
});

it('a change adds to the total how many rows came, less those that went', () => {
  fc.assert(
    fc.property(fc.array(ROW), (rows) => {
      const count = (wanted: keyof RowChange) => rows.filter((row) => wanted in row).length;
      const log = new RelationLog(0n);
      const [before, after] = [snapshotWithout([1n]), snapshotWithout([])];
      log.learnTotal(before, 5n);
      log.append({ xid: 1n, rows, truncated: false });
      const total = 5n + BigInt(count('came') - count('went'));
      expect([log.total(before), log.total(after)]).toEqual([5n, total]);
    }),
  );
});
