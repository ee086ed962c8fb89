import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type {
  FollowedCall,
  KeySnapshot,
  MomentWork,
  RelationMoment,
  Versioned,
} from '../../sources/source.ts';
import type { FollowedRows } from './followed-rows.ts';
import { FollowedWork } from './followed-work.ts';

const [SNAPSHOT, MOMENT] = [{} as KeySnapshot, { version: '1' } as RelationMoment];

/** The rows of a relation, as the service reads them. */
function rowsOf(name: string): FollowedRows {
  return { relation: [name], session: undefined, name };
}

/** Work over a source that is followed, or late, or fails, as the test says. */
function startWork(timeoutMs = 60_000) {
  const state = { late: 0, fails: false };
  const calls: FollowedCall[] = [];
  async function during<Read extends Versioned>(
    _relation: readonly string[],
    work: MomentWork<Read>,
    call: FollowedCall,
  ): Promise<Read | undefined> {
    calls.push(call);
    call.signal.throwIfAborted();
    if (state.fails) throw new Error('broken');
    if (state.late > 0) {
      state.late -= 1;
      return undefined;
    }
    return work(SNAPSHOT, MOMENT);
  }
  const work = new FollowedWork({ during }, timeoutMs);
  onTestFinished(() => work.close());
  return { work, state, calls };
}

describe('work on a followed relation', () => {
  it('is done in parts, each in a snapshot of its own, on a connection that callers do not use', async () => {
    const { work, calls } = startWork();
    const seen: unknown[] = [];
    work.begin(rowsOf('a'), async (...given) => seen.push(given) < 3);
    await expect.poll(() => seen.length).toBe(3);
    expect(seen[0]).toEqual([SNAPSHOT, MOMENT]);
    expect(calls.map(({ isBackground }) => isBackground)).toEqual([true, true, true]);
  });

  it('goes on where the changes were late, unless they are again and again', async () => {
    const { work, state, calls } = startWork();
    state.late = 19;
    const step = vi.fn<() => Promise<boolean>>(async () => false);
    work.begin(rowsOf('a'), step);
    await expect.poll(() => step.mock.calls.length).toBe(1);
    state.late = 1000;
    work.begin(rowsOf('b'), step);
    await expect.poll(() => calls.length).toBe(40);
    await work.close();
    expect([step.mock.calls.length, calls.length]).toEqual([1, 40]);
  });

  it('is done one at a time, and ends where the database fails', async () => {
    const { work, state, calls } = startWork();
    const answer = Promise.withResolvers<boolean>();
    const [first, second] = [
      vi.fn<() => Promise<boolean>>(() => answer.promise),
      vi.fn<() => Promise<boolean>>(async () => false),
    ];
    work.begin(rowsOf('a'), first);
    work.begin(rowsOf('b'), second);
    state.fails = true;
    answer.resolve(true);
    await expect.poll(() => calls.length).toBe(2);
    state.fails = false;
    await expect
      .poll(() => {
        work.begin(rowsOf('c'), second);
        return second.mock.calls.length;
      })
      .toBe(1);
    expect(first.mock.calls.length).toBe(1);
  });

  it('on one relation begins again after a pause', async () => {
    const { work } = startWork();
    const step = vi.fn<() => Promise<boolean>>(async () => false);
    work.begin(rowsOf('a'), step);
    await expect.poll(() => step.mock.calls.length).toBe(1);
    await new Promise((resolve) => void setTimeout(resolve, 50));
    work.begin(rowsOf('a'), step);
    expect(step.mock.calls.length).toBe(1);
    await expect
      .poll(() => {
        work.begin(rowsOf('a'), step);
        return step.mock.calls.length;
      })
      .toBe(2);
  });

  it('ends at its time limit, and when it is closed', async () => {
    const limited = startWork(30);
    limited.work.begin(rowsOf('a'), async () => true);
    await expect.poll(() => limited.calls.at(-1)?.signal.aborted).toBe(true);
    const { work, calls } = startWork();
    work.begin(rowsOf('a'), async () => true);
    await expect.poll(() => calls.length).toBeGreaterThan(1);
    await work.close();
    const before = calls.length;
    await new Promise((resolve) => void setTimeout(resolve, 20));
    expect(calls.length).toBe(before);
  });
});
