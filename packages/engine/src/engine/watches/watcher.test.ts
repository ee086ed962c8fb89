import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { WatchedState } from '../../engine-types.ts';
import { type ReadState, WatchedList } from './watched-list.ts';

function stateOf(total: number): ReadState {
  const list = { total: String(total), version: String(total) };
  const at = performance.now();
  return { id: `${total}`, list, readAt: at, readBy: at, tag: '', isSettled: true };
}

async function settle(ms = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

/** A list that is as the test says, and how somebody watches it, as often as each 100 ms. */
function startList() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const list = new WatchedList(
    { version: async () => undefined, read: async () => stateOf(0) },
    stateOf(0),
  );
  const closed: string[] = [];
  const taken: (string | null)[] = [];
  /** Takes one state after another, the first of them with `busy`. */
  const follow = (signal = new AbortController().signal, busy?: Promise<boolean>) => {
    let before = busy;
    const take = ({ list: { total } }: WatchedState): boolean | Promise<boolean> => {
      taken.push(total);
      const now = before ?? true;
      before = undefined;
      return now;
    };
    return list.watch({ take, signal, everyMs: 100, onClose: () => void closed.push('closed') });
  };
  return { list, follow, taken, closed };
}

describe('somebody who watches a list', () => {
  it('gets its state at once, and another one not sooner than they want', async () => {
    const { list, follow, taken } = startList();
    void follow();
    expect(taken).toEqual(['0']);
    await settle(30);
    for (const total of [1, 2]) list.join(stateOf(total));
    await settle(69);
    expect(taken).toEqual(['0']);
    await settle(1);
    expect(taken).toEqual(['0', '2']);
    await settle(500);
    list.join(stateOf(3));
    expect(taken).toEqual(['0', '2', '3']);
  });

  it('waits as long as they have to, whenever others began', async () => {
    const { list, follow, taken } = startList();
    void follow();
    await settle(60);
    void follow();
    list.join(stateOf(1));
    await settle(40);
    expect(taken).toEqual(['0', '0', '1']);
    await settle(60);
    expect(taken).toEqual(['0', '0', '1', '1']);
  });

  it('gets the latest state when they are no longer busy, and none twice', async () => {
    const { list, follow, taken } = startList();
    const busy = Promise.withResolvers<boolean>();
    void follow(undefined, busy.promise);
    for (const total of [1, 2, 3]) {
      await settle(200);
      list.join(stateOf(total));
    }
    busy.resolve(true);
    await settle();
    expect(taken).toEqual(['0', '3']);
    await settle(1000);
    expect(taken).toEqual(['0', '3']);
  });

  it('gets no more once they leave, or want no more', async () => {
    const { list, follow, taken, closed } = startList();
    const leaving = new AbortController();
    const busy = Promise.withResolvers<boolean>();
    const following = [follow(leaving.signal), follow(leaving.signal, busy.promise)];
    expect(list.isWatched).toBe(true);
    leaving.abort();
    await Promise.all(following);
    await settle(100);
    list.join(stateOf(1));
    busy.resolve(true);
    await settle();
    expect([taken, list.isWatched, closed]).toEqual([['0', '0'], false, ['closed', 'closed']]);
    await list.watch({ take: () => false, signal: new AbortController().signal, everyMs: 100 });
    await follow(AbortSignal.abort());
    expect([taken.length, list.isWatched]).toEqual([2, false]);
  });

  it('gets what ended the watch, when they are no longer busy', async () => {
    const { list, follow, closed } = startList();
    const busy = Promise.withResolvers<boolean>();
    const following = [follow(), follow(undefined, busy.promise)];
    list.end(new Error('over'));
    await expect(following[0]).rejects.toThrow('over');
    expect(closed).toEqual(['closed']);
    busy.resolve(true);
    await expect(following[1]).rejects.toThrow('over');
    expect(list.isWatched).toBe(false);
  });

  it('loses no state because another one fails to take it', async () => {
    const { list, follow, taken } = startList();
    const { signal } = new AbortController();
    const failures = [
      () => {
        throw new Error('cannot send');
      },
      () => Promise.reject(new Error('cannot send')),
    ].map((take) => list.watch({ take, signal, everyMs: 100 }));
    void follow();
    for (const failure of failures) await expect(failure).rejects.toThrow('cannot send');
    await settle(100);
    list.join(stateOf(1));
    expect(taken).toEqual(['0', '1']);
  });
});
