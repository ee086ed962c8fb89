import { describe, expect, it, onTestFinished, vi } from 'vitest';

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
  const watch = (signal = new AbortController().signal) =>
    list.watch({ signal, everyMs: 100, onClose: () => void closed.push('closed') });
  const taken: (string | null)[] = [];
  const follow = async (signal?: AbortSignal): Promise<void> => {
    for await (const state of watch(signal)) taken.push(state.list.total);
    taken.push('end');
  };
  return { list, watch, follow, taken, closed };
}

describe('somebody who watches a list', () => {
  it('gets its state at once, and another one not sooner than they want', async () => {
    const { list, follow, taken } = startList();
    void follow();
    await settle();
    expect(taken).toEqual(['0']);
    await settle(30);
    for (const total of [1, 2]) list.join(stateOf(total));
    await settle(69);
    expect(taken).toEqual(['0']);
    await settle(1);
    expect(taken).toEqual(['0', '2']);
    await settle(500);
    list.join(stateOf(3));
    await settle();
    expect(taken).toEqual(['0', '2', '3']);
  });

  it('waits as long as they have to, whenever others began', async () => {
    const { list, watch } = startList();
    const [early, late] = [watch(), watch()];
    await early.next();
    await settle(60);
    await late.next();
    const log: string[] = [];
    void early.next().then(() => log.push('early'));
    void late.next().then(() => log.push('late'));
    list.join(stateOf(1));
    await settle(40);
    expect(log).toEqual(['early']);
    await settle(60);
    expect(log).toEqual(['early', 'late']);
  });

  it('gets the latest state when they ask for it, and none twice', async () => {
    const { list, watch } = startList();
    const states = watch();
    await states.next();
    for (const total of [1, 2, 3]) {
      await settle(200);
      list.join(stateOf(total));
    }
    expect((await states.next()).value?.list.total).toBe('3');
    let isTaken = false;
    void states.next().then(() => (isTaken = true));
    await settle(1000);
    expect(isTaken).toBe(false);
  });

  it('gets no more once they leave, or stop', async () => {
    const { list, watch, follow, taken, closed } = startList();
    const leaving = new AbortController();
    void follow(leaving.signal);
    await settle();
    expect(list.isWatched).toBe(true);
    leaving.abort();
    await settle();
    expect([taken, list.isWatched, closed]).toEqual([['0', 'end'], false, ['closed']]);
    for await (const _ of watch()) break;
    expect([list.isWatched, closed]).toEqual([false, ['closed', 'closed']]);
    expect(await watch(AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
  });

  it('gets what ended the watch', async () => {
    const { list, watch, follow, closed } = startList();
    const following = follow();
    const busy = watch();
    await busy.next();
    await settle();
    list.end(new Error('over'));
    await expect(following).rejects.toThrow('over');
    expect(closed).toEqual(['closed']);
    await expect(busy.next()).rejects.toThrow('over');
    expect(list.isWatched).toBe(false);
  });
});
