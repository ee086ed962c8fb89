import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

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

const HOUR_MS = 3_600_000;

afterEach(() => void vi.useRealTimers());

/** The rows of a relation, as the service reads them. */
function rowsOf(name: string): FollowedRows {
  return { relation: [name], session: undefined, name, condition: undefined };
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
    work.begin(rowsOf('a'), async (...given) => seen.push(given) < 30);
    await expect.poll(() => seen.length).toBe(30);
    expect(seen[0]).toEqual([SNAPSHOT, MOMENT]);
    expect(calls.map(({ isBackground }) => isBackground)).toEqual(seen.map(() => true));
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

  it('goes on at once, however long its steps take', async () => {
    const { work } = startWork();
    vi.useFakeTimers({ toFake: ['performance'] });
    const steps = [true, false, false];
    const rows = rowsOf('a');
    for (let times = 0; times < 2; times++) {
      work.begin(rows, async () => {
        vi.advanceTimersByTime(HOUR_MS);
        return steps.shift() === true;
      });
      for (let end = work.stepEnd(rows); end !== undefined; end = work.stepEnd(rows)) await end;
    }
    expect(steps).toEqual([]);
  });

  it('reports the end of each of its parts, and none for another relation', async () => {
    const { work } = startWork();
    const rows = rowsOf('a');
    const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    const answers = [first, second];
    work.begin(rows, async () => answers.shift()?.promise ?? false);
    expect(work.stepEnd(rowsOf('b'))).toBeUndefined();
    const log: string[] = [];
    void work.stepEnd(rows)?.then(() => log.push('first'));
    await expect.poll(() => answers.length).toBe(1);
    expect(log).toEqual([]);
    first.resolve(true);
    await expect.poll(() => log).toEqual(['first']);
    const last = work.stepEnd(rows);
    second.resolve(false);
    await last;
    await expect.poll(() => work.stepEnd(rows)).toBeUndefined();
  });

  it('ends at its time limit, and when it is closed', async () => {
    const limited = startWork(30);
    limited.work.begin(rowsOf('a'), () => setImmediate(true));
    await expect.poll(() => limited.calls.at(-1)?.signal.aborted).toBe(true);
    const { work, calls } = startWork();
    work.begin(rowsOf('a'), () => setImmediate(true));
    await expect.poll(() => calls.length).toBeGreaterThan(1);
    await work.close();
    const before = calls.length;
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(calls.length).toBe(before);
  });
});
