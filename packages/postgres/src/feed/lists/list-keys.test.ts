import type { OrderTerm } from '@proj/engine/following';
import { describe, expect, it } from 'vitest';

import { orderBy, relationOf } from '../../../test/feed/listed-relation.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import type { RowChange } from '../changes/transactions.ts';
import { ListKeys } from './seen-moment.ts';
import { listedOrder, OrderedLists } from './ordered-lists.ts';
import { ALL_ROWS } from './touched-rows.ts';

const BEFORE = TransactionSnapshot.parse('12:12:');
const AFTER = TransactionSnapshot.parse('13:13:');

/** The log does not know what such a snapshot sees. */
const TOO_EARLY = TransactionSnapshot.parse('0:12:');

/** A list of 350 rows by even numbers, whose keys are not read yet. */
function listBy(columns: readonly string[], facts: Partial<OrderTerm> = {}) {
  const relation = relationOf(
    'a',
    columns.map((name) => name.replace('-', '')),
  );
  const [lists, order] = [new OrderedLists(), orderBy(columns, facts)];
  const listed = listedOrder(relation, order, ALL_ROWS);
  if (listed === undefined) throw new Error('The list of a key is followed.');
  lists.begin(order, { ...listed, relation }, { filter: ALL_ROWS, total: 350n });
  const kept = lists.get(relation, order, ALL_ROWS);
  if (kept === undefined) throw new Error('The list of a key is followed.');
  const keys = (snapshot = BEFORE, total?: bigint): ListKeys =>
    new ListKeys(kept, { total, unseen: () => relation.log.unseenRows(snapshot) });
  return { relation, kept, keys };
}

const PLACES = [0, 100, 200, 300, 349];

/** What is read of the list: every hundredth row and the last. */
const EVEN_ROWS = { rows: PLACES.map((place) => [String(2 * place), place]) };

/** A list by its key, of which a row is added that its first snapshot does not see. */
async function growingList() {
  const list = listBy(['id']);
  const keys = list.keys();
  keys.wants();
  await keys.learn(EVEN_ROWS);
  list.relation.log.append({ xid: 12n, rows: [{ came: ['301'] }], truncated: false });
  return list;
}

/** The checkpoints of a list, each with how many rows come before it. */
function checkpointsOf(keys: ListKeys): unknown {
  const checkpoints = keys.checkpoints();
  return (
    checkpoints &&
    Array.from({ length: checkpoints.length }, (_, index) => [
      checkpoints.keyAt(index),
      checkpoints.rowsBefore(index),
    ])
  );
}

describe('the keys of a followed list', () => {
  it('are checkpoints, with as many rows before each as a snapshot sees', async () => {
    const { keys } = await growingList();
    expect(checkpointsOf(keys(BEFORE))).toEqual([
      [['200'], 100n],
      [['400'], 200n],
      [['600'], 300n],
    ]);
    expect(checkpointsOf(keys(AFTER))).toEqual([
      [['200'], 100n],
      [['400'], 201n],
      [['600'], 301n],
    ]);
  });

  it('lead to the place of each row that a snapshot sees', async () => {
    const { keys } = await growingList();
    const place = (snapshot: TransactionSnapshot, offset: bigint) =>
      keys(snapshot).locate({ size: 1, offset });
    expect(place(BEFORE, 250n)).toEqual({ from: ['400'], skip: 50, reachesNulls: false });
    expect(place(AFTER, 250n)).toEqual({ from: ['400'], skip: 49, reachesNulls: false });
    expect(place(BEFORE, 99n)).toEqual({ from: undefined, skip: 99, reachesNulls: false });
    expect([place(BEFORE, 350n), place(AFTER, 350n)?.skip]).toEqual([undefined, 49]);
  });

  it('are none behind the last checkpoint, nor of a list that lacks some', async () => {
    const { keys } = await growingList();
    const checkpoints = keys().checkpoints();
    expect([checkpoints?.keyAt(3), checkpoints?.rowsBefore(3)]).toEqual([[], 0n]);
    const unread = listBy(['id']).keys();
    expect([unread.isComplete, unread.checkpoints()]).toEqual([false, undefined]);
  });

  it('go when the total is another one than that of the relation, in whatever snapshot', async () => {
    for (const ask of [
      (keys: ListKeys) => keys.checkpoints(),
      (keys: ListKeys) => keys.locate({ size: 1, offset: 0n }),
    ])
      for (const [snapshot, total] of [
        [BEFORE, 350n],
        [AFTER, 351n],
      ] as const) {
        const { kept, keys } = await growingList();
        expect(ask(keys(snapshot, total))).toBeDefined();
        expect(ask(keys(snapshot, total + 1n))).toBeUndefined();
        expect([kept.list.isBroken, ask(keys(snapshot))]).toEqual([true, undefined]);
      }
  });

  it('are not known where it is not known what a snapshot does not see', async () => {
    const { keys } = await growingList();
    const early = keys(TOO_EARLY);
    expect([early.checkpoints(), early.locate({ size: 1, offset: 0n })]).toEqual([
      undefined,
      undefined,
    ]);
    const unread = listBy(['id']);
    expect(unread.keys(TOO_EARLY).wants()).toBeUndefined();
    const read = unread.keys();
    read.wants();
    unread.relation.log.append({ xid: 13n, rows: [], truncated: true });
    await read.learn(EVEN_ROWS);
    expect(unread.kept.list.length).toBe(0);
  });

  it('are not taken in once it is not known any longer what their snapshot does not see', async () => {
    const { relation, kept, keys } = listBy(['id']);
    const read = keys();
    read.wants();
    const end = relation.log.beginRead();
    relation.log.append({ xid: 12n, rows: [{ came: ['301'] }], truncated: false });
    relation.log.noteSnapshot(AFTER);
    end();
    await read.learn(EVEN_ROWS);
    expect([kept.list.length, kept.list.isBroken]).toEqual([0, false]);
  });

  it('are taken in though the list has moved on to another base snapshot meanwhile', async () => {
    const { kept } = listBy(['id']);
    kept.list.append({ rows: [{ came: ['201'] }] });
    const moved = kept.list.movesFromNow();
    const unseen = (): RowChange[] => [{ came: ['301'] }, ...moved()];
    const read = new ListKeys(kept, { total: undefined, unseen });
    read.wants();
    kept.list.append({ rows: [{ came: ['303'] }, { went: ['100'] }] });
    kept.list.append({ rows: [{ came: ['305'] }] });
    expect(await read.learn(EVEN_ROWS)).toBe(true);
    // What the list has since then and the keys have not is counted too.
    expect([kept.list.isComplete, kept.list.total([])]).toEqual([true, 352n]);
    expect(checkpointsOf(read)).toEqual([
      [['200'], 100n],
      [['400'], 200n],
      [['600'], 300n],
    ]);
  });

  it('are not compared with the total of the relation as long as some are missing', () => {
    const { kept, keys } = listBy(['id']);
    expect(keys(BEFORE, 350n).locate({ size: 1, offset: 0n })).toBeUndefined();
    expect(kept.list.isBroken).toBe(false);
  });

  it('are read again of a bucket that has more than four times the rows of its beginning', async () => {
    const { relation, keys } = await growingList();
    const grow = (xid: bigint, count: number): void => {
      const rows = Array.from({ length: count }, () => ({ came: ['303'] }));
      relation.log.append({ xid, rows, truncated: false });
    };
    const wanted = () => keys(TransactionSnapshot.parse('20:20:')).wants();
    grow(13n, 299);
    expect(wanted()).toBeUndefined();
    grow(14n, 1);
    expect(wanted()).toEqual({ from: ['200'], part: undefined, rows: 401, step: 100 });
  });

  it('are not taken in that were not wanted', async () => {
    const { kept, keys } = listBy(['id']);
    await keys().learn(EVEN_ROWS);
    expect(kept.list.length).toBe(0);
  });

  it('are read in the order of the columns, each once, from where the last ones end', async () => {
    const { kept, keys } = listBy(['-low', 'id']);
    const read = keys();
    expect(read.wants()).toEqual({ from: undefined, part: undefined, rows: 100_001, step: 100 });
    await read.learn({
      rows: Array.from({ length: 1001 }, (_, at) => [`${1800 - at}`, `${at}`, at * 100]),
    });
    expect(kept.list.isComplete).toBe(false);
    const from = ['800', '1000'];
    expect(keys().wants()).toEqual({ from, part: undefined, rows: 100_001, step: 100 });
  });

  it('break the list where the database sends something else than a text', async () => {
    const { kept, keys } = listBy(['id']);
    const read = keys();
    read.wants();
    await read.learn({ rows: [[7, 0]] });
    expect(kept.list.isBroken).toBe(true);
  });

  it('have NULL where a column may be NULL', async () => {
    const { keys } = listBy(['id'], { nullable: true, nulls: 'first' });
    const read = keys();
    expect(read.wants()?.part).toBe('null');
    await read.learn({ rows: [[null, 0]] });
    expect(read.wants()?.part).toBe('not_null');
    await read.learn({
      rows: [
        ['7', 0],
        ['9', 1],
      ],
    });
    expect(checkpointsOf(keys())).toEqual([[['7'], 1n]]);
  });
});
