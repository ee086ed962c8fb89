import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type SeenState, SimulatedServer } from '../../../test/feed/simulated-server.ts';
import type { KeyTexts } from '../changes/transactions.ts';
import { KeyOrder, type OrderedColumn, type SortedKey } from './key-order.ts';
import { type KeyRead, type ListLimits, OrderedList, type PlacedKey } from './ordered-list.ts';
import { RelationLog } from '../changes/relation-log.ts';

/** An order of rows that are known by their numbers. */
interface Ordering {
  readonly order: KeyOrder;
  readonly textsOf: (row: number) => KeyTexts;
}

function orderBy(...columns: readonly Omit<OrderedColumn, 'databaseType'>[]): KeyOrder {
  const order = KeyOrder.of(columns.map((column) => ({ databaseType: 'integer', ...column })));
  if (order === undefined) throw new Error('Integers are compared.');
  return order;
}

const ASCENDING = orderBy({ direction: 'asc' });

const BY_NUMBER: Ordering = { order: ASCENDING, textsOf: (row) => [String(row)] };

/** By a column that is NULL in every third row, and by the number. */
const byNullable = (direction: 'asc' | 'desc', nulls: 'first' | 'last'): Ordering => ({
  order: orderBy({ direction, nulls }, { direction: 'asc' }),
  textsOf: (row) => [row % 3 === 0 ? null : String(row % 10), String(row)],
});

const FIRST_ROWS = { from: undefined, part: undefined, split: undefined };

const SMALL: ListLimits = { step: 2, splitRows: 4, chunkRows: 5, buckets: 1000 };

/** What a read of the keys of these rows brings. */
function placedKeys(
  rows: readonly number[],
  read: KeyRead,
  { order, textsOf }: Ordering = BY_NUMBER,
): PlacedKey[] {
  const { from, part } = read;
  const first = from && order.read(from);
  const found = rows.filter((row) => {
    const key = order.read(textsOf(row)) ?? [];
    return order.partOf(key) === part && (first === undefined || order.compare(key, first) >= 0);
  });
  const chunk = found.slice(0, read.rows);
  return chunk
    .map((row, place) => ({ texts: textsOf(row), place }))
    .filter(({ place }) => place % SMALL.step === 0 || place === chunk.length - 1);
}

/** A read of the list's keys in a snapshot. */
interface Maintenance {
  readonly end: () => void;
  readonly state: SeenState;
  readonly keys: KeyRead | undefined;
}

/** A list that is followed on a simulated server, compared with the rows that snapshots see. */
class FollowedList {
  readonly server: SimulatedServer;
  readonly log: RelationLog;
  readonly list: OrderedList;
  readonly #ordering: Ordering;
  readonly mistakes: unknown[] = [];
  located = 0;
  splits = 0;
  #fed = 0;
  #maintenance: Maintenance | undefined;
  readonly #readers: { readonly end: () => void; readonly state: SeenState }[] = [];

  constructor(rows: readonly number[], ordering: Ordering) {
    this.#ordering = ordering;
    this.list = new OrderedList(ordering.order, SMALL);
    this.server = new SimulatedServer(rows);
    this.log = new RelationLog(this.server.nextXid - 1n);
    this.log.listen(this.list);
  }

  feed(position = this.server.log.length): void {
    for (; this.#fed < position; this.#fed++) {
      const change = this.server.log[this.#fed];
      if (change === undefined) continue;
      const rows = change.rows.map(({ came, went }) => ({
        ...(came && { came: this.#ordering.textsOf(Number(came[0])) }),
        ...(went && { went: this.#ordering.textsOf(Number(went[0])) }),
      }));
      this.log.append({ ...change, rows });
    }
  }

  /** The rows in the order of the list. */
  #sorted(rows: readonly number[]): number[] {
    const { order, textsOf } = this.#ordering;
    const keyOf = (row: number): SortedKey => order.read(textsOf(row)) ?? [];
    const keys = new Map(rows.map((row): [number, SortedKey] => [row, keyOf(row)]));
    return rows.toSorted((a, b) => order.compare(keys.get(a) ?? [], keys.get(b) ?? []));
  }

  /** Begins a read and takes its snapshot, which the log has reached. */
  #begin(): { end: () => void; state: SeenState } {
    const end = this.log.beginRead();
    const state = this.server.snapshot();
    this.feed(state.position);
    this.log.noteSnapshot(state.snapshot);
    return { end, state };
  }

  maintain(): void {
    if (this.#maintenance !== undefined) return;
    const { end, state } = this.#begin();
    const unseen = this.log.unseenRows(state.snapshot);
    this.#maintenance = { end, state, keys: unseen && this.list.nextRead(unseen) };
  }

  learn(): void {
    if (this.#maintenance === undefined) return;
    const { end, state, keys } = this.#maintenance;
    const unseen = this.log.unseenRows(state.snapshot);
    if (keys !== undefined && unseen !== undefined) {
      if (keys.split !== undefined) this.splits += 1;
      this.list.learn(keys, placedKeys(this.#sorted(state.rows), keys, this.#ordering), unseen);
    }
    end();
    this.#maintenance = undefined;
  }

  beginRead(): void {
    this.#readers.push(this.#begin());
  }

  look(which: number): void {
    const reader = this.#readers[which % this.#readers.length];
    if (reader === undefined) return;
    const { snapshot } = reader.state;
    const rows = this.#sorted(reader.state.rows);
    const unseen = this.log.unseenRows(snapshot);
    if (unseen === undefined) return;
    const total = this.list.total(unseen);
    if (total === undefined) return;
    if (total !== BigInt(rows.length)) this.mistakes.push({ total, rows });
    for (let offset = 0; offset <= rows.length; offset++) this.#locate(offset, rows, unseen);
  }

  endRead(which: number): void {
    const [reader] = this.#readers.splice(which % Math.max(1, this.#readers.length), 1);
    reader?.end();
  }

  #locate(
    offset: number,
    rows: readonly number[],
    unseen: Parameters<OrderedList['locate']>[1],
  ): void {
    const place = this.list.locate({ size: 3, offset: BigInt(offset) }, unseen);
    if (offset === rows.length || place === undefined) {
      if (place !== undefined || (!this.list.isBroken && offset < rows.length))
        this.mistakes.push({ offset, place });
      return;
    }
    this.located += 1;
    const { order, textsOf } = this.#ordering;
    const from = place.from && order.read(place.from);
    const rest = rows.filter((row) => {
      const key = order.read(textsOf(row)) ?? [];
      if (from === undefined) return true;
      const reaches = place.reachesNulls || textsOf(row)[0] !== null || place.from?.[0] === null;
      return reaches && order.compare(key, from) >= 0;
    });
    const found = rest.slice(place.skip, place.skip + 3);
    if (found.join() !== rows.slice(offset, offset + 3).join())
      this.mistakes.push({ offset, rows, place });
  }
}

const ACTIONS: Record<string, (followed: FollowedList, which: number) => void> = {
  begin: ({ server }) => server.begin(),
  write: ({ server }, which) => server.toggle(which, which % 40),
  writeMore: ({ server }, which) => server.toggle(which, which % 41),
  writeNear: ({ server }, which) => server.toggle(which, 10 + (which % 7)),
  commit: ({ server }, which) => server.commit(which),
  show: ({ server }, which) => server.show(which),
  rollBack: ({ server }, which) => server.rollBack(which),
  feed: (followed) => followed.feed(),
  maintain: (followed) => followed.maintain(),
  learn: (followed) => followed.learn(),
  beginRead: (followed) => followed.beginRead(),
  look: (followed, which) => followed.look(which),
  lookAgain: (followed, which) => followed.look(which),
  endRead: (followed, which) => followed.endRead(which),
};

const STEPS = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), fc.nat(10_000)), {
  minLength: 100,
  maxLength: 400,
  size: 'max',
});

describe('a followed list', () => {
  it.each([
    { of: 'by a key', ordering: BY_NUMBER },
    { of: 'with NULL last', ordering: byNullable('asc', 'last') },
    { of: 'with NULL last, downwards', ordering: byNullable('desc', 'last') },
    { of: 'with NULL first', ordering: byNullable('asc', 'first') },
    { of: 'with NULL first, downwards', ordering: byNullable('desc', 'first') },
  ])('$of leads to each row of each snapshot as rows come and go', ({ ordering }) => {
    const sums = { located: 0, splits: 0 };
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(40), { minLength: 8, maxLength: 30 }),
        STEPS,
        (rows, steps) => {
          const followed = new FollowedList(rows, ordering);
          for (const [action, which] of steps) ACTIONS[action]?.(followed, which);
          expect(followed.mistakes).toEqual([]);
          // Rows between the two parts of a list may break it.
          const isWhole = ordering.order.parts.length === 0;
          expect(isWhole && followed.list.isBroken).toBe(false);
          sums.located += followed.located;
          sums.splits += followed.splits;
        },
      ),
      { numRuns: 200 },
    );
    expect(sums.located).toBeGreaterThan(2000);
    expect(sums.splits).toBeGreaterThan(10);
  });

  it('splits a bucket at its first end, where rows come before all that were there', () => {
    const { list, order } = { list: new OrderedList(ASCENDING, SMALL), order: [50, 60] };
    list.learn({ ...FIRST_ROWS, rows: 6 }, placed(order), []);
    const rows = [1, 2, 3, 4, 5].map((row) => ({ came: [String(row)] }));
    list.append({ rows });
    const read = list.nextRead([]);
    expect(read).toMatchObject({ from: undefined, rows: 7 });
    if (read !== undefined) list.learn(read, placed([1, 2, 3, 4, 5, ...order]), []);
    expect(list.nextRead([])).toBeUndefined();
    const places = [0n, 2n, 3n, 6n, 7n].map((offset) => list.locate({ size: 1, offset }, []));
    expect(places).toEqual([
      { from: undefined, skip: 0, reachesNulls: false },
      { from: ['3'], skip: 0, reachesNulls: false },
      { from: ['3'], skip: 1, reachesNulls: false },
      { from: ['60'], skip: 0, reachesNulls: false },
      undefined,
    ]);
  });

  it('merges a bucket without rows, and does not split what was merged since its keys were read', () => {
    const list = new OrderedList(ASCENDING, SMALL);
    list.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 50, 60, 70]), []);
    const come = (rows: readonly number[]): void =>
      list.append({ rows: rows.map((row) => ({ came: [`${row}`] })) });
    come([51, 52, 53]);
    const read = list.nextRead([]);
    const rows = [60, 70].map((row) => ({ went: [`${row}`] }));
    list.append({ rows });
    come([61, 62]);
    const unseen = [...rows, ...[61, 62].map((row) => ({ came: [`${row}`] }))];
    if (read !== undefined) list.learn(read, placed([1, 50, 51, 52, 53]), unseen);
    expect([list.length, list.total([]), list.nextRead([])?.rows]).toEqual([1, 7n, 7]);
  });

  it('is broken by a key that cannot be compared, and by a truncate', () => {
    const key = new OrderedList(ASCENDING, SMALL);
    key.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 2]), []);
    key.append({ rows: [{ came: ['NaN'] }] });
    expect([key.isBroken, key.locate({ size: 1, offset: 0n }, []), key.nextRead([])]).toEqual([
      true,
      undefined,
      undefined,
    ]);
    const log = new RelationLog(0n);
    const list = new OrderedList(ASCENDING, SMALL);
    log.listen(list);
    log.append({ xid: 1n, rows: [], truncated: true });
    expect(list.isBroken).toBe(true);
  });

  it('is broken where the database has other rows than were counted', () => {
    const others = [
      [1, 50, 51, 52],
      [1, 50, 51, 52, 53, 54],
      [1, 50, 51, 52, 60],
    ];
    for (const keys of others.map(placed)) {
      const list = new OrderedList(ASCENDING, SMALL);
      list.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 50, 60, 70]), []);
      const rows = [51, 52, 53].map((row) => ({ came: [String(row)] }));
      list.append({ rows });
      const read = list.nextRead([]);
      expect(read).toMatchObject({ from: undefined, rows: 5 });
      if (read !== undefined) list.learn(read, keys, []);
      expect(list.isBroken).toBe(true);
    }
  });

  it('splits no bucket that has gone since its keys were read', () => {
    const list = listOf([1, 2, 50, 60]);
    append(list, [51, 52, 53]);
    const read = list.nextRead([]);
    expect(read).toMatchObject({ from: ['50'], rows: 5 });
    const rows = [50, 51, 52, 53, 60].map((row) => ({ went: [String(row)] }));
    list.append({ rows });
    if (read !== undefined) list.learn(read, placed([50, 51, 52, 53, 60]), rows);
    expect([list.length, list.total([]), list.isBroken]).toEqual([1, 2n, false]);
  });

  it('splits a bucket that has more rows than it may have, and has them in a snapshot', () => {
    const list = listOf([1, 2]);
    append(list, [3, 4]);
    expect(list.nextRead([])).toBeUndefined();
    append(list, [5]);
    expect(list.nextRead([])).toMatchObject({ rows: 5 });
    const unseen = [3, 4, 5].map((row) => ({ came: [String(row)] }));
    expect(list.nextRead(unseen.slice(1))).toMatchObject({ rows: 3 });
    expect(list.nextRead(unseen)).toBeUndefined();
    list.append({ rows: [{ went: ['5'] }, { went: ['4'] }] });
    expect(list.nextRead([])).toBeUndefined();
  });

  it('begins its next chunk with the last key of one, which it has once', () => {
    const list = new OrderedList(ASCENDING, { ...SMALL, chunkRows: 4 });
    list.learn({ ...FIRST_ROWS, rows: 5 }, placed([1, 2, 3, 4, 5]), []);
    expect([list.length, list.isComplete, list.nextRead([])?.from]).toEqual([2, false, ['5']]);
  });

  it('tells each reader what has changed since it began', () => {
    const list = listOf([1, 2]);
    const since = [0, 1, 2].map((row) => {
      if (row > 0) append(list, [row + 2]);
      return list.movesFromNow();
    });
    const [third, fourth] = [{ came: ['3'] }, { came: ['4'] }];
    expect(since.map((moves) => moves())).toEqual([[third, fourth], [fourth], []]);
  });

  it('says whether the rows up to the end of a page may have NULL', () => {
    const { order, textsOf } = byNullable('asc', 'last');
    const list = new OrderedList(order, SMALL);
    for (const rows of [
      [1, 2, 4, 5],
      [3, 6],
    ]) {
      const read = list.nextRead([]);
      if (read !== undefined) list.learn(read, placedKeys(rows, read, { order, textsOf }), []);
    }
    const reaches = [0n, 1n, 2n, 3n, 4n].map(
      (offset) => list.locate({ size: 1, offset }, [])?.reachesNulls,
    );
    expect(reaches).toEqual([false, false, true, true, true]);
    expect(list.locate({ size: 3, offset: 0n }, [])?.reachesNulls).toBe(true);
  });

  it('is broken where more rows go than there were, and where rows come before all buckets', () => {
    const list = listOf([1, 2]);
    const rows = ['1', '2', '2'].map((row) => ({ went: [row] }));
    list.append({ rows });
    expect(list.isBroken).toBe(true);
    const { order } = byNullable('asc', 'first');
    const empty = new OrderedList(order, SMALL);
    empty.learn({ ...FIRST_ROWS, part: 'null', rows: 6 }, [], []);
    expect([empty.length, empty.isBroken]).toEqual([0, false]);
    empty.append({ rows: [{ came: [null, '3'] }] });
    expect(empty.isBroken).toBe(true);
  });

  it('is broken by a split without rows, and by a key that no snapshot can compare', () => {
    const list = listOf([1, 2]);
    append(list, [3, 4, 5]);
    const read = list.nextRead([]);
    if (read !== undefined) list.learn(read, [], []);
    expect(list.isBroken).toBe(true);
    const other = listOf([1, 2]);
    expect(other.locate({ size: 1, offset: 0n }, [{ came: ['NaN'] }])).toBeUndefined();
    expect(other.isBroken).toBe(true);
  });

  it('takes nothing in once it is broken, and may have just as many buckets as its limit', () => {
    const broken = new OrderedList(ASCENDING, SMALL);
    broken.forget();
    broken.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 2]), []);
    expect(broken.length).toBe(0);
    const full = new OrderedList(ASCENDING, { ...SMALL, buckets: 3 });
    full.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 2, 3, 4, 5]), []);
    expect([full.length, full.isBroken]).toEqual([3, false]);
  });

  it('is given up when it has too many buckets, and where it has no rows', () => {
    const large = new OrderedList(ASCENDING, { ...SMALL, buckets: 2 });
    large.learn({ ...FIRST_ROWS, rows: 6 }, placed([1, 2, 3, 4, 5]), []);
    expect([large.length, large.isBroken]).toEqual([3, true]);
    const empty = new OrderedList(ASCENDING, SMALL);
    empty.learn({ ...FIRST_ROWS, rows: 6 }, [], []);
    expect([empty.isComplete, empty.isBroken]).toEqual([false, true]);
  });
});

/** All of these rows as they are read from the first on. */
function placed(rows: readonly number[]): PlacedKey[] {
  return placedKeys(rows, { ...FIRST_ROWS, rows: rows.length });
}

/** A list by a number that has all of these rows. */
function listOf(rows: readonly number[]): OrderedList {
  const list = new OrderedList(ASCENDING, SMALL);
  list.learn({ ...FIRST_ROWS, rows: rows.length + 1 }, placed(rows), []);
  return list;
}

function append(list: OrderedList, rows: readonly number[]): void {
  const changes = rows.map((row) => ({ came: [String(row)] }));
  list.append({ rows: changes });
}
