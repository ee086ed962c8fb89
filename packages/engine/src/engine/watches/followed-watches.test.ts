import { afterEach, expect, it, vi } from 'vitest';

import type { FollowedStates } from '../../sources/source.ts';
import { FollowedWatches, type FollowedWatch } from './followed-watches.ts';
import type { PlannedWatch } from './plan-watch.ts';
import { WatchedList, type ReadState } from './watched-list.ts';

afterEach(() => void vi.useRealTimers());

const RELATION = ['public', 'rows'];

function stateOf(total: string, readAt: number, readBy = performance.now()): ReadState {
  const list = { total, version: total };
  return { id: total, list, readAt, readBy, tag: total, isSettled: true };
}

/** Watched lists of a relation that does what the test says. */
function startWatches(lists = 1) {
  const source = {
    version: 'v1' as string | undefined,
    states: undefined as Pick<FollowedStates, 'version' | 'lists'> | undefined,
    takenAt: 2,
    isFollowed: true,
    isSettled: true,
    mustRead: false,
    reads: 0,
    asked: 0,
    stated: 0,
    versions: 0,
    delay: undefined as Promise<void> | undefined,
  };
  const reads: (() => void)[] = [];
  const watches = new FollowedWatches({
    changes: {
      states: async () => {
        source.asked += 1;
        const { states, takenAt, delay } = source;
        await delay;
        return states && { ...states, takenAt, takenBy: takenAt + 1 };
      },
      knowsTotal: () => source.isFollowed,
    },
    versionOf: async () => {
      source.versions += 1;
      return source.version;
    },
    stateOf: ({ found, states: { takenAt, takenBy } }) => {
      source.stated += 1;
      return source.mustRead ? undefined : stateOf(String(found.total), takenAt, takenBy);
    },
  });
  const read = async (): Promise<ReadState> => {
    const readAt = performance.now();
    source.reads += 1;
    await new Promise<void>((resolve) => reads.push(resolve));
    return { ...stateOf('read', readAt), isSettled: source.isSettled };
  };
  const all = Array.from({ length: lists }, (): FollowedWatch => {
    const list = new WatchedList(
      { version: async () => source.version, read },
      stateOf('first', 0, 1),
    );
    const { signal } = new AbortController();
    void list.watch({ take: () => true, signal, everyMs: 100 });
    return {
      list,
      planned: {} as PlannedWatch,
      rows: { relation: RELATION, session: undefined, name: 'rows', condition: undefined },
    };
  });
  const look = async (): Promise<void> => {
    watches.look(all);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const totals = (): (string | null)[] => all.map(({ list }) => list.state.list.total);
  return { source, look, totals, finishReads: () => reads.splice(0).forEach((end) => end()) };
}

it('asks for lists only where the data has another version', async () => {
  const { source, look, totals } = startWatches(2);
  const lists = [
    { total: 5n, changedAt: 1 },
    { total: 6n, changedAt: 1 },
  ];
  source.states = { version: 'v1', lists };
  await look();
  await look();
  expect([totals(), source.asked, source.reads]).toEqual([['5', '6'], 1, 0]);
  source.version = 'v2';
  source.takenAt = 4;
  source.states = { version: 'v2', lists: [{ total: 7n, changedAt: 2 }, lists[1]] };
  await look();
  expect([totals(), source.asked, source.reads]).toEqual([['7', '6'], 2, 0]);
});

it('asks for no version in advance as long as others write', async () => {
  const { source, look, totals } = startWatches();
  for (const turn of [1, 2, 3]) {
    source.states = { version: `v${turn}`, lists: [{ total: BigInt(turn), changedAt: turn }] };
    source.version = `v${turn}`;
    source.takenAt = 2 * turn;
    await look();
  }
  expect([totals(), source.asked, source.versions]).toEqual([['3'], 3, 2]);
  // The writes have ended, which the next snapshot shows.
  for (let turn = 0; turn < 3; turn++) await look();
  expect([source.asked, source.versions]).toEqual([4, 4]);
});

it('looks at once at lists that became due while others were looked at', async () => {
  const { source, look, totals } = startWatches();
  const { promise, resolve } = Promise.withResolvers<void>();
  source.delay = promise;
  source.states = { version: 'v1', lists: [{ total: 1n, changedAt: 1 }] };
  await look();
  await look();
  [source.version, source.takenAt] = ['v2', 4];
  source.states = { version: 'v2', lists: [{ total: 2n, changedAt: 2 }] };
  resolve();
  for (let turn = 0; turn < 40; turn++) await Promise.resolve();
  expect([totals(), source.asked]).toEqual([['2'], 2]);
});

it('makes no other state of a list that has not changed, though the version is another one', async () => {
  const { source, look, totals } = startWatches();
  source.states = { version: 'v1', lists: [{ total: 5n, changedAt: 1 }] };
  await look();
  source.version = 'v2';
  // The total of a list that did not change is the same; this one shows that it is not looked at.
  source.states = { version: 'v2', lists: [{ total: 9n, changedAt: 1 }] };
  await look();
  expect([totals(), source.stated]).toEqual([['5'], 1]);
});

it('keeps what was known where the snapshot may have been taken before', async () => {
  const { source, look, totals } = startWatches();
  const found = { total: 5n, changedAt: 1 };
  source.states = { version: 'v1', lists: [found] };
  source.takenAt = 0.5;
  await look();
  expect(totals()).toEqual(['first']);
  source.takenAt = 2;
  await look();
  expect(totals()).toEqual(['5']);
});

it('reads a list once for a change, though others commit while it is read', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { source, look, finishReads } = startWatches();
  Object.assign(source, { mustRead: true, isSettled: false });
  for (const version of ['v1', 'v2', 'v3']) {
    source.version = version;
    source.states = { version, lists: [{ total: 5n, changedAt: 1 }] };
    await look();
    finishReads();
    // A list that was just read rests for a while.
    vi.advanceTimersByTime(50);
    await look();
  }
  expect(source.reads).toBe(1);
});

it('reads each list once that is not followed, however often it is due', async () => {
  const { source, look, totals, finishReads } = startWatches(10);
  source.states = { version: 'v1', lists: [] };
  await look();
  await look();
  finishReads();
  await look();
  expect(source.reads).toBe(10);
  expect(new Set(totals())).toEqual(new Set(['read']));
});

it('waits a second for changes that are late before it reads followed lists', async () => {
  const { source, look } = startWatches();
  for (let tick = 0; tick < 9; tick++) await look();
  expect(source.reads).toBe(0);
  await look();
  expect(source.reads).toBe(1);
});

it('reads lists at once where no totals are followed', async () => {
  const { source, look } = startWatches();
  source.isFollowed = false;
  await look();
  expect(source.reads).toBe(1);
});
