import type { FollowedIndex, FollowedOrder } from '@proj/engine/following';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { below, orderBy, relationOf } from '../../../test/feed/listed-relation.ts';
import { ListedServer, SHOWN } from '../../../test/feed/listed-server.ts';
import { RelationLog } from '../changes/relation-log.ts';
import { movedRows } from './filtered-totals.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'], now: 0 }));
afterEach(() => void vi.useRealTimers());

const advance = (ms: number): void => void vi.advanceTimersByTime(ms);

/** All that is asked of the server now is answered. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

const TEN = below(10n);

const TERMS = { leastMs: 0 };

/** With the numbers from 0 on. */
function serverOf(rows: number, heldMs = Infinity): ListedServer {
  const numbers = Array.from({ length: rows }, (_none, id) => String(id));
  return new ListedServer(numbers, { heldMs, advance });
}

/** A list was counted, which took a second. */
async function countedServer(rows = 20, heldMs = Infinity) {
  const server = serverOf(rows, heldMs);
  expect(await server.moment().countLists([TEN], TERMS)).toEqual(['known']);
  const total = (): Promise<bigint | undefined> => server.moment().total(TEN);
  const tick = async (): Promise<void> => {
    server.filtered.tick(server.seen().snapshot);
    await settle();
  };
  /** Writes the same row in many transactions. */
  const rewrite = (times: number): void => {
    for (let time = 0; time < times; time++) server.set({ 1: String(time % 20) });
  };
  /** Writes so many rows in one. */
  const writeRows = (count: number, first = 0): void =>
    server.set(
      Object.fromEntries(Array.from({ length: count }, (_none, at) => [first + at, '11'])),
    );
  const states = () => server.filtered.states('a', [TEN]);
  return Object.assign(server, { total, tick, states, rewrite, writeRows });
}

describe('the total of a filtered list', () => {
  it('is counted once, and then follows from rows that differ, looked at in two snapshots', async () => {
    const server = serverOf(20);
    const early = server.moment();
    const { filtered } = server;
    expect([await early.total(TEN), filtered.hasTotal('a', TEN)]).toEqual([undefined, false]);
    expect([filtered.keys, filtered.heldSeconds]).toEqual([0, 0]);
    expect(await early.countLists([TEN], TERMS)).toEqual(['known']);
    const isKnown = (token: string, limit: bigint) => filtered.hasTotal(token, below(limit));
    expect([isKnown('a', 10n), isKnown('a', 11n), isKnown('b', 10n)]).toEqual([true, false, false]);
    expect(await early.total(TEN)).toBe(10n);
    expect(server.asked.toSorted()).toEqual([
      'base select array_to_json',
      'base stamp',
      'read select array_to_json',
      'read select count',
    ]);
    server.set({ 3: '12', 4: '5', 15: undefined, 30: '0', 31: '1' });
    const late = server.moment();
    expect([await late.total(TEN), await early.total(TEN)]).toEqual([11n, 10n]);
    server.asked.length = 0;
    expect([await late.total(TEN), await server.moment().total(TEN)]).toEqual([11n, 11n]);
    expect([server.asked, filtered.keys, server.bases]).toEqual([[], 5, 1]);
    expect([filtered.heldSeconds, server.counters.recounts]).toEqual([1, 0]);
  });

  it('is right though rows were written before, while and after it was counted', async () => {
    const server = serverOf(20);
    await server.moment().countLists([TEN], TERMS);
    server.set({ 3: '12' });
    const read = server.moment();
    server.set({ 4: '12' });
    let written = 5;
    server.onAsk = (words) => words === 'read select count' && server.set({ [written++]: '13' });
    expect(await read.countLists([below(11n)], TERMS)).toEqual(['known']);
    expect([await read.total(below(11n)), await server.moment().total(below(11n))]).toEqual([
      10n,
      8n,
    ]);
  });

  it('is right though lists move to another base while it is looked where they differ', async () => {
    const server = await countedServer();
    server.set({ 1: '12' });
    let moves: Promise<unknown> | undefined;
    server.onAsk = async (words) => {
      if (words === 'base select array_to_json') moves ??= server.states();
      if (words === 'now stamp') for (let turn = 0; turn < 9; turn++) await settle();
    };
    expect(await server.moment().countLists([below(11n)], TERMS)).toEqual(['known']);
    await moves;
    expect([await server.moment().total(below(11n)), server.bases]).toEqual([10n, 2]);
  });

  it('is not kept where a count takes little', async () => {
    const server = serverOf(20);
    server.countMs = 5;
    const moment = server.moment();
    expect(await moment.countLists([TEN], { leastMs: 6 })).toEqual(['refused']);
    expect([server.filtered.hasTotal('a', TEN), await moment.total(TEN)]).toEqual([
      false,
      undefined,
    ]);
    expect(await moment.countLists([TEN], { leastMs: 5 })).toEqual(['known']);
  });

  it('is not kept where the count fails', async () => {
    const server = serverOf(20);
    server.onAsk = (words) => {
      if (words === 'read select count') throw new Error('too long');
    };
    await expect(server.moment().countLists([TEN], TERMS)).rejects.toThrow('too long');
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 0]);
  });

  it('is counted with others, the more the cheaper each is, and never where rows cannot be sought', async () => {
    const server = serverOf(20);
    const [begun, lists] = [[] as boolean[][], [1n, 2n, 3n].map(below)];
    const terms = {
      leastMs: 1,
      onBegin: (counted: readonly boolean[]) => begun.push([...counted]),
    };
    const moment = server.moment();
    server.countMs = 100;
    expect(await moment.countLists(lists, terms)).toEqual(['known', undefined, undefined]);
    expect(await moment.countLists(lists.slice(1), terms)).toEqual(['known', 'known']);
    expect(begun).toEqual([
      [true, false, false],
      [true, true],
    ]);
    const unstable = server.relationOf('b', {
      columns: [{ name: 'low', type: 'bigint', isStable: false }],
    });
    server.asked.length = 0;
    expect(await server.moment(unstable).countLists(lists, TERMS)).toEqual(
      lists.map(() => 'refused'),
    );
    expect(server.asked).toEqual([]);
    const other = { ...TEN, attribute: { ...Reflect.get(TEN, 'attribute'), column: 'other' } };
    expect(await moment.countLists([other, TEN], TERMS)).toEqual(['refused', 'known']);
  });

  it('is unknown where nobody follows the changes of the relation', async () => {
    const server = serverOf(20);
    server.logs = [];
    const moment = server.moment();
    expect(await moment.countLists([TEN], TERMS)).toEqual(['late']);
    expect([await moment.total(TEN), server.asked]).toEqual([undefined, []]);
    advance(1000);
    server.filtered.tick(server.seen().snapshot);
    expect(server.filtered.heldSeconds).toBe(0);
  });

  it.each([
    {
      when: 'its base is lost',
      ends: ['late', 'late'],
      kept: 0,
      lose: async (server: Counted) => server.lose(),
    },
    {
      when: 'more than 250 others were counted',
      ends: ['late', 'late'],
      kept: 250,
      lose: async (server: Counted) => {
        for (let limit = 12n; limit <= 260n; limit++)
          await server.moment().countLists([below(limit)], TERMS);
      },
    },
    {
      when: 'it fails',
      ends: 'failed',
      kept: 2,
      lose: async () => {
        throw new Error('too long');
      },
    },
  ])('is not known from a count during which $when', async ({ ends, kept, lose }) => {
    const server = await countedServer();
    server.countMs = 1;
    await server.moment().countLists([below(1n)], TERMS);
    server.onAsk = async (words) => {
      if (words !== 'read select count') return;
      server.onAsk = () => undefined;
      await lose(server);
      await settle();
      await server.tick();
    };
    const lists = [below(11n), below(300n)];
    const counted = server.moment().countLists(lists, TERMS);
    expect(await counted.catch(() => 'failed')).toEqual(ends);
    expect(await server.moment().total(lists[0])).toBeUndefined();
    const before = server.counters.recounts;
    server.lose();
    await settle();
    await server.tick();
    expect(server.counters.recounts - before).toBe(kept);
  });

  it('moves to a base in which an unfollowed relation is covered', async () => {
    const server = await countedServer();
    const log = new RelationLog(0n);
    server.logs.push(log);
    server.set({ 3: '12' });
    expect(await server.moment(server.relationOf('b', { log })).countLists([TEN], TERMS)).toEqual([
      'known',
    ]);
    expect([server.bases, await server.total(), server.counters.recounts]).toEqual([2, 9n, 0]);
  });
});

describe('the base snapshot of filtered lists', () => {
  it('is taken anew when more than 300 rows may differ, at most every 100 ms', async () => {
    const server = await countedServer(400);
    server.writeRows(300);
    expect([await server.total(), server.bases, server.filtered.keys]).toEqual([0n, 1, 300]);
    server.writeRows(301);
    expect(await server.total()).toBe(0n);
    await settle();
    expect([server.bases, server.filtered.keys]).toEqual([2, 301]);
    server.writeRows(301);
    advance(100);
    await server.total();
    await settle();
    expect(server.bases).toBe(2);
    advance(1);
    await server.total();
    await settle();
    expect([server.bases, await server.total(), server.counters.recounts]).toEqual([3, 0n, 0]);
  });

  it('is taken anew when more than 2000 transactions have changed one relation', async () => {
    const server = await countedServer();
    const other = server.relationOf('b', { log: new RelationLog(0n) });
    server.logs.push(other.log);
    await server.moment(other).countLists([TEN], TERMS);
    const { bases } = server;
    advance(101);
    server.rewrite(2000);
    await server.tick();
    expect([server.bases, server.filtered.keys]).toEqual([bases, 0]);
    server.rewrite(1);
    await server.tick();
    expect(server.bases).toBe(bases + 1);
  });

  it('is taken anew when half its time is over, and dropped when all is', async () => {
    const server = await countedServer(20, 3000);
    await server.states();
    server.asked.length = 0;
    advance(1500);
    await server.tick();
    expect(server.bases).toBe(2);
    advance(1);
    await server.tick();
    expect([server.bases, server.filtered.heldSeconds, server.asked]).toEqual([3, 0, []]);
    server.writeRows(3);
    expect([await server.total(), server.filtered.keys]).toEqual([7n, 3]);
    advance(3000);
    server.isDown = true;
    server.filtered.tick(server.seen().snapshot);
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([true, 0]);
    advance(1);
    server.filtered.tick(server.seen().snapshot);
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
    expect([server.filtered.keys, server.filtered.heldSeconds]).toEqual([0, 0]);
    expect(await server.total()).toBeUndefined();
  });

  it('is dropped in time, and not taken anew, while changes are not followed', async () => {
    const server = await countedServer(20, 3000);
    advance(2000);
    server.rewrite(2001);
    server.filtered.tick(undefined);
    await settle();
    expect([server.bases, server.filtered.hasTotal('a', TEN)]).toEqual([1, true]);
    advance(1);
    server.filtered.tick(undefined);
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
    expect(server.filtered.heldSeconds).toBe(0);
  });

  it.each([
    { how: 'lost', looks: ['total', 'tick'] },
    { how: 'not followed by another', looks: ['states', 'tick'] },
  ] as const)('takes all totals with it when it is $how', async ({ how, looks }) => {
    for (const look of looks) {
      const server = await countedServer(20, 1000);
      if (how === 'lost') server.lose();
      else server.isDown = true;
      await settle();
      expect(await server[look]()).toBeUndefined();
      expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
    }
  });

  it('is followed by one in which the lists are looked for that are known then', async () => {
    const server = await countedServer();
    server.set({ 1: '12' });
    await server.states();
    advance(60_001);
    const five = [below(5n)];
    await server.moment().countLists(five, TERMS);
    server.set({ 2: '7' });
    expect((await server.filtered.states('a', five))?.lists[0]?.total).toBe(3n);
  });

  it('is dropped when the relation was emptied', async () => {
    const server = await countedServer();
    const xid = server.begin();
    server.log.append({ xid, rows: [], truncated: true });
    server.commit(xid);
    expect(await server.total()).toBeUndefined();
    await server.tick();
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
  });

  it('is too old for lists of which more than 5000 rows differ, unless it is the read that is', async () => {
    const server = await countedServer(6000);
    const long = server.seen();
    for (const first of [0, 3000]) {
      server.writeRows(3000, first);
      expect(await server.total()).toBe(0n);
      await settle();
      advance(101);
    }
    const old = server.moment(server.relation, long);
    expect([await old.total(TEN), await old.countLists([below(3n)], TERMS)]).toEqual([
      undefined,
      ['late'],
    ]);
    expect([server.bases, server.counters.recounts]).toEqual([3, 0]);
    await server.total();
    await settle();
    server.writeRows(5000);
    expect(await server.total()).toBe(0n);
    server.writeRows(5001);
    expect(await server.total()).toBeUndefined();
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
  });

  it('knows lists no longer that nobody has asked for in a minute, nor relations without any', async () => {
    const server = await countedServer();
    const { filtered } = server;
    const [other, isKnown] = [below(11n), (one = below(11n)) => filtered.hasTotal('a', one)];
    server.countMs = 0;
    advance(58_999);
    await server.moment().countLists([other], TERMS);
    for (const isKept of [true, false]) {
      advance(1);
      await filtered.states('a', [other]);
      expect(isKnown(TEN)).toBe(isKept);
    }
    advance(60_000);
    await server.tick();
    expect(isKnown()).toBe(true);
    advance(1);
    await server.tick();
    expect([isKnown(), server.counters.recounts]).toEqual([false, 0]);
    await filtered.begin({ ...server.seen(), relation: server.relation, ask: async () => [] });
    server.asked.length = 0;
    server.writeRows(1);
    expect([await filtered.states('a', []), server.asked]).toEqual([undefined, []]);
    advance(10_000);
    await server.tick();
    expect(filtered.heldSeconds).toBe(10);
    advance(1);
    await server.tick();
    expect(filtered.heldSeconds).toBe(0);
  });
});

describe('what is known of lists in a new base snapshot', () => {
  it('are their totals there, and when each was last seen to change', async () => {
    const server = await countedServer();
    await server.moment().countLists([below(5n)], TERMS);
    await server.moment().countLists([undefined], TERMS);
    const states = (...lists: Parameters<ListedServer['filtered']['states']>[1]) =>
      server.filtered.states('a', lists);
    advance(10);
    expect(await states(TEN, below(5n), below(6n), undefined)).toMatchObject({
      takenAt: 3010,
      takenBy: 3010,
      lists: [
        { total: 10n, changedAt: 0 },
        { total: 5n, changedAt: 1000 },
        undefined,
        { total: 20n, changedAt: 0 },
      ],
    });
    server.set({ 7: '12', 99: '50' });
    advance(10);
    const { snapshot } = server.seen();
    expect(await states(TEN, below(5n), undefined)).toEqual({
      snapshot,
      takenAt: 3020,
      takenBy: 3020,
      lists: [
        { total: 9n, changedAt: 3020 },
        { total: 5n, changedAt: 1000 },
        { total: 21n, changedAt: 3020 },
      ],
    });
    const { bases } = server;
    expect([await server.filtered.states('b', [TEN]), server.bases]).toEqual([undefined, bases]);
    server.set({ 3: '4' });
    advance(10);
    expect((await states(below(5n)))?.lists).toEqual([{ total: 5n, changedAt: 3030 }]);
  });

  it.each([
    { when: 'the schema is another', facts: { schema: 'other' } },
    { when: 'somebody waits to alter it', facts: { isLocked: true } },
    { when: 'its changes are followed no longer', facts: { logs: [] } },
  ])('is nothing where $when', async ({ facts }) => {
    const server = await countedServer();
    expect(await server.filtered.states('a', [TEN])).toBeDefined();
    Object.assign(server, facts);
    server.set({ 1: '12' });
    expect(await server.filtered.states('a', [TEN])).toBeUndefined();
    expect([server.filtered.hasTotal('a', TEN), server.counters.recounts]).toEqual([false, 1]);
  });
});

type Counted = Awaited<ReturnType<typeof countedServer>>;

const callers = (server: ListedServer, count: number) =>
  Array.from({ length: count }, (_none, at) => server.relationOf(`caller ${at}`, { shown: SHOWN }));

describe('the schema of a relation with lists', () => {
  it.each([
    { types: 'built-in types', hasOwnTypes: false, after: [19n, 18n] },
    { types: 'types of its own', hasOwnTypes: true, after: [undefined, undefined] },
  ])('is asked for again with $types: $hasOwnTypes', async ({ hasOwnTypes, after }) => {
    const all = below(100n);
    const totals: unknown[] = [];
    const server = serverOf(20);
    const relation = server.relationOf('own', { hasOwnTypes });
    await server.moment(relation).countLists([all], TERMS);
    server.set({ 0: '5' });
    expect((await server.filtered.states('own', [all]))?.lists[0]?.total).toBe(20n);
    server.set({ 1: null });
    server.schema = 'other';
    totals.push(await server.moment(relation).total(all));
    server.schema = 'followed';
    server.set({ 2: null });
    server.onAsk = (words) => {
      if (words === 'now stamp') server.schema = 'other';
    };
    totals.push((await server.filtered.states('own', [all]))?.lists[0]?.total);
    expect(totals).toEqual(after);
  });

  it('is that of now when lists move to the next base', async () => {
    const server = await countedServer();
    server.set({ 1: '12' });
    server.onAsk = (words) => {
      if (words === 'base stamp') server.schema = 'other';
    };
    expect(await server.states()).toBeUndefined();
    expect(server.counters.recounts).toBe(1);
  });
});

describe('lists of the rows that a caller is shown', () => {
  it('are counted and followed as the caller', async () => {
    const server = await countedServer();
    const shown = server.relationOf('caller', { shown: SHOWN });
    for (const list of [TEN, undefined])
      expect(await server.moment(shown).countLists([list], TERMS)).toEqual(['known']);
    server.set({ 2: '12', 3: '12', 10: undefined, 11: undefined });
    const moment = server.moment(shown);
    expect([await moment.total(TEN), await moment.total(), server.bases]).toEqual([4n, 9n, 1]);
    server.set({ 4: '12' });
    const states = await server.filtered.states('caller', [TEN, undefined]);
    expect(states?.lists.map((list) => list?.total)).toEqual([3n, 9n]);
  });

  it('are of 50 callers at most: the one unused for longest goes', async () => {
    const server = await countedServer();
    const all = callers(server, 51);
    const known = () => all.map(({ token }) => server.filtered.hasTotal(token, TEN));
    for (const one of all.slice(0, 50)) await server.moment(one).countLists([TEN], TERMS);
    await server.moment(server.relationOf('b')).countLists([TEN], TERMS);
    expect(known()).toEqual(all.map((_one, at) => at < 50));
    await server.moment(all[0]).total(TEN);
    await server.moment(all[50]).countLists([TEN], TERMS);
    expect(known()).toEqual(all.map((_one, at) => at !== 1));
    expect(server.filtered.hasTotal('a', TEN)).toBe(true);
  });

  it('begin with a new base where the last is older than what decides on them', async () => {
    const server = serverOf(20);
    const count = (relation = server.relation) => server.moment(relation).countLists([TEN], TERMS);
    server.schema = 'other';
    expect(await count()).toEqual(['late']);
    server.schema = 'followed';
    advance(101);
    expect(await count()).toEqual(['late']);
    await settle();
    expect(server.bases).toBe(1);
    const [shown] = callers(server, 1);
    expect(await count(shown)).toEqual(['late']);
    await settle();
    expect([server.bases, await count(shown)]).toEqual([2, ['known']]);
    server.lose();
    await settle();
    expect(await count(shown)).toEqual(['late']);
  });
});

const BY_WORD: FollowedOrder = {
  ...orderBy(['word', 'id']),
  terms: orderBy(['word', 'id']).terms.map(({ term, field }) => ({
    term,
    field: term.column === 'word' ? { ...field, databaseType: 'text' } : field,
  })),
};

const BY_LOW = orderBy(['low', 'id']);

const BELOW: FollowedOrder = { ...orderBy(['id']), condition: below(200n) };

const placeIn = (index: FollowedIndex | undefined) => index?.locate({ size: 1, offset: 150n });

async function skipOf(server: ListedServer, order: FollowedOrder, seen = server.seen()) {
  return placeIn(await server.moment(server.relation, seen).index(order))?.skip;
}

describe('the page index of a list', () => {
  it.each([
    { of: 'all rows by another column', order: BY_LOW, ends: [200, 249] },
    { of: 'some rows', order: BELOW, ends: [199] },
  ])('of $of leads to rows as each snapshot sees them', async ({ order, ends }) => {
    const server = serverOf(250);
    const { condition } = order;
    const early = server.seen();
    const moment = server.moment(server.relation, early);
    expect(await moment.beginIndex(order)).toBe(false);
    await moment.countLists([condition], TERMS);
    expect([await moment.beginIndex(order), server.bases]).toEqual([true, 1]);
    const index = await moment.index(order);
    index?.wants();
    await server.filtered.states('a', [condition]);
    const rows = [0, 100, ...ends].map((place) => [...order.terms.map(() => `${place}`), place]);
    expect(await index?.learn({ rows })).toBe(true);
    const skip = (seen = server.seen()) => skipOf(server, order, seen);
    expect([await skip(), await skip(early)]).toEqual([50, 50]);
    expect(placeIn(await server.moment(server.relation, early, true).index(order))).toBeUndefined();
    server.set({ 1: '300', 2: '150', 300: '5', 3: '3' });
    expect([await skip(), await skip(early)]).toEqual([51, 50]);
    advance(1);
    expect((await server.filtered.states('a', [condition]))?.takenAt).toBe(1001);
    expect(placeIn(index)?.skip).toBe(50);
    expect([await skip(), await skip(early), server.bases]).toEqual([51, 50, 3]);
    server.set({ 4: undefined });
    expect([await skip(), server.filtered.heldSeconds]).toEqual([52, 0]);
    advance(10_001);
    await server.filtered.states('a', []);
    server.filtered.tick(server.seen().snapshot);
    expect(await skip()).toBe(52);
    server.lose();
    await settle();
    expect(await skip()).toBeUndefined();
    expect([placeIn(index), await index?.learn({ rows })]).toEqual([undefined, false]);
    await server.moment().countLists([below(3n)], TERMS);
    expect(await server.moment().index(order)).toBeUndefined();
  });

  it.each([
    { of: 'all rows by another column', order: BY_LOW, ends: [200, 249], moved: 53 },
    { of: 'some rows', order: BELOW, ends: [199], moved: 52 },
  ])('of $of takes in keys read before others moved', async ({ order, ends, moved }) => {
    const server = serverOf(250);
    server.log.beginRead();
    const early = server.seen();
    const moment = server.moment(server.relation, early);
    await moment.countLists([order.condition], TERMS);
    server.set({ 1: '300', 2: '150' });
    await moment.beginIndex(order);
    const index = await moment.index(order);
    index?.wants();
    await server.filtered.states('a', []);
    server.set({ 4: undefined });
    await server.filtered.states('a', []);
    const rows = [0, 100, ...ends].map((place) => [...order.terms.map(() => `${place}`), place]);
    expect(await index?.learn({ rows })).toBe(true);
    expect(server.bases).toBe(3);
    expect([await skipOf(server, order), await skipOf(server, order, early)]).toEqual([moved, 50]);
  });

  it('leads to rows though its list moves to the next base while it is looked where they differ', async () => {
    const server = serverOf(250);
    server.log.beginRead();
    await server.moment().countLists([BELOW.condition], TERMS);
    await server.moment().beginIndex(BELOW);
    const keys = await server.moment().index(BELOW);
    keys?.wants();
    await keys?.learn({ rows: [0, 100, 199].map((place) => [`${place}`, place]) });
    server.set({ 1: '300' });
    const moment = server.moment();
    server.set({ 2: '300' });
    let moves: Promise<unknown> | undefined;
    server.onAsk = (words) =>
      words === 'read select array_to_json' && (moves ??= server.filtered.states('a', []));
    expect(placeIn(await moment.index(BELOW))?.skip).toBe(51);
    expect([await moves, server.bases, await skipOf(server, BELOW)]).toMatchObject([{}, 2, 52]);
  });

  it.each([[], [BY_LOW]])(
    'that the database sorts leads to rows in the next base too, beside %j',
    async (...others) => {
      const server = serverOf(250);
      const early = server.seen();
      await server.moment().countLists([undefined], TERMS);
      for (const order of [BY_WORD, ...others]) await server.moment().beginIndex(order);
      server.set({ 1: '300', 2: '150', 3: '160' });
      const stale = await server.moment(server.relation, early).index(BY_WORD);
      const index = await server.moment().index(BY_WORD);
      index?.wants();
      const keys = ['9', '247', '149', '100'].map((id, at) => [id, id, Math.min(100 * at, 249)]);
      expect(await index?.learn({ rows: keys })).toBe(true);
      expect(placeIn(stale)?.skip).toBe(48);
      const skips = async () => [
        await skipOf(server, BY_WORD),
        await skipOf(server, BY_WORD, early),
      ];
      expect(await skips()).toEqual([50, 48]);
      server.set({ 4: '120', 5: undefined });
      expect(await server.filtered.states('a', [])).toBeDefined();
      expect(await skips()).toEqual([52, 48]);
      server.lose();
      await settle();
      expect(await skips()).toEqual([undefined, undefined]);
    },
  );

  it('begun while others move to the next base is begun anew', async () => {
    const server = await countedServer();
    const order = { ...orderBy(['id']), condition: TEN };
    server.set({ 1: '12' });
    server.onAsk = async (words) => {
      if (words !== 'now stamp') return;
      server.onAsk = () => undefined;
      await server.moment().beginIndex(order);
    };
    expect(await server.states()).toBeDefined();
    expect(await server.moment().index(order)).toBeUndefined();
  });

  it('is of no use without the total of its list', async () => {
    const server = await countedServer(250);
    const order = { ...orderBy(['id']), condition: TEN };
    expect(await server.moment().beginIndex(order)).toBe(true);
    server.countMs = 0;
    for (let limit = 11n; limit <= 260n; limit++)
      await server.moment().countLists([below(limit)], TERMS);
    expect([await server.total(), (await server.moment().index(order))?.wants()]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('gains and loses rows, of which some look alike, but not those that stay', () => {
    const [a, b, c] = [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ] as const;
    const before = { count: 3, keys: [a, b, b] };
    const now = { count: 2, keys: [b, c] };
    expect(movedRows({ before, now })).toEqual([{ went: a }, { went: b }, { came: c }]);
    expect(movedRows({ before: now, now: before })).toEqual([
      { went: c },
      { came: a },
      { came: b },
    ]);
  });
});

it('asks nothing of relations that were never followed', async () => {
  const server = serverOf(3);
  server.filtered.tick(server.seen().snapshot);
  expect(await server.moment(relationOf('z')).total(TEN)).toBeUndefined();
  expect([server.bases, server.asked]).toEqual([0, []]);
});
