import { describe, expect, it } from 'vitest';

import { type ListChange, ListLog } from './list-log.ts';
import { RelationLog } from './relation-log.ts';
import { TransactionSnapshot } from './snapshot.ts';

const [BEFORE, AFTER, LATER] = ['12:12:', '13:13:', '14:14:'].map((text) =>
  TransactionSnapshot.parse(text),
) as [TransactionSnapshot, TransactionSnapshot, TransactionSnapshot];

const ALL_ROWS = { condition: undefined, key: undefined };

const NOTHING: ListChange = { rows: [], delta: 0, truncated: false };

/** A list that begins when its relation keeps the changes of these transactions. */
function listAfter(...xids: readonly bigint[]): ListLog {
  const relation = new RelationLog(12n);
  for (const xid of xids) relation.append({ xid, rows: [], truncated: false });
  return new ListLog(relation, ALL_ROWS);
}

const knows = (list: ListLog): boolean[] =>
  [BEFORE, AFTER, LATER].map((snapshot) => list.isUsable(snapshot));

describe('the log of a list', () => {
  it('knows nothing of snapshots that do not see what was changed before it began', () => {
    expect(knows(listAfter())).toEqual([true, true, true]);
    expect(knows(listAfter(12n))).toEqual([false, true, true]);
    expect(knows(listAfter(12n, 13n))).toEqual([false, false, true]);
  });

  it('knows nothing of snapshots of which its relation knows nothing', () => {
    const list = new ListLog(new RelationLog(13n), ALL_ROWS);
    expect(knows(list)).toEqual([false, true, true]);
  });

  it('has missed nothing any longer that every read sees', () => {
    const list = listAfter(12n, 13n);
    list.fold(AFTER);
    expect(knows(list)).toEqual([false, false, true]);
    list.fold(LATER);
    expect(knows(list)).toEqual([true, true, true]);
    const dropped = listAfter(12n, 13n);
    dropped.foldAll();
    expect(knows(dropped)).toEqual([true, true, true]);
  });

  it('has lost its total, and has missed a change, when it began while that was being read', () => {
    const list = listAfter();
    list.learnTotal(BEFORE, 5n);
    expect([list.hasTotal, list.total(BEFORE)]).toEqual([true, 5n]);
    list.append(12n, undefined);
    expect([list.hasTotal, list.total(AFTER)]).toEqual([false, undefined]);
    list.append(13n, undefined);
    expect(knows(list)).toEqual([false, false, true]);
  });

  it('keeps what came or went, or is not known, and nothing else', () => {
    const rows = [{ came: ['1'] }, { went: ['2'] }];
    const sizes = [NOTHING, { ...NOTHING, rows }, { ...NOTHING, delta: -1 }].map((change) => {
      const list = listAfter();
      list.append(12n, change);
      return [list.size, list.rowCount, list.bytes];
    });
    expect(sizes).toEqual([
      [0, 0, 0],
      [1, 2, 600],
      [1, 0, 200],
    ]);
    const emptied = listAfter();
    emptied.append(12n, { ...NOTHING, truncated: true });
    expect([emptied.size, emptied.canLearnTotal(AFTER)]).toEqual([1, false]);
  });

  it('counts with the delta of a change, of which it may not have the rows', () => {
    const list = listAfter();
    list.learnTotal(BEFORE, 5n);
    list.append(12n, { ...NOTHING, delta: 3 });
    list.append(13n, { ...NOTHING, delta: -1 });
    expect([BEFORE, AFTER, LATER].map((snapshot) => list.total(snapshot))).toEqual([5n, 8n, 7n]);
    list.learnTotal(AFTER, 9n);
    expect([BEFORE, AFTER, LATER].map((snapshot) => list.total(snapshot))).toEqual([6n, 9n, 8n]);
    list.fold(AFTER);
    expect(list.size).toBe(1);
    list.foldAll();
    expect([list.size, list.total(LATER)]).toEqual([0, 8n]);
  });

  it('has the rows that a snapshot does not see, unless some are not listed', () => {
    const list = listAfter();
    list.append(12n, { ...NOTHING, rows: [{ came: ['1'] }] });
    list.append(13n, { ...NOTHING, rows: [{ went: ['2'] }, { came: ['3'] }] });
    expect(list.unseenRows(BEFORE)).toEqual([{ came: ['1'] }, { went: ['2'] }, { came: ['3'] }]);
    expect(list.unseenRows(AFTER)).toEqual([{ went: ['2'] }, { came: ['3'] }]);
    list.append(14n, { ...NOTHING, truncated: true });
    expect(list.unseenRows(BEFORE)).toBeUndefined();
    expect(listAfter(12n).unseenRows(BEFORE)).toBeUndefined();
  });
});
