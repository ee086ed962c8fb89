import { describe, expect, it } from 'vitest';

import { Callers } from '../sources/callers.ts';
import type { PageRows } from '../sources/source.ts';
import { callOf, type TestCall } from '../../test/call.ts';
import type { PageQuestion } from './page-reader.ts';
import { CountBatcher } from './count-batcher.ts';

interface Group {
  readonly sizes: readonly number[];
  readonly signal: AbortSignal;
  readonly callers: Callers;
  answer(): void;
  fail(error: Error): void;
}

/** Groups that are read by hand; a page is known by its size. */
function byHand(mostGroups = 1) {
  const groups: Group[] = [];
  const counts = new CountBatcher(
    (questions, { signal, callers }) => {
      const { promise, resolve, reject } = Promise.withResolvers<PageRows[]>();
      const sizes = questions.map(({ range }) => range.size);
      groups.push({
        sizes,
        signal,
        callers,
        answer: () => resolve(sizes.map(pageOf)),
        fail: reject,
      });
      signal.addEventListener('abort', () => reject(new Error('Nobody waits.')));
      return promise;
    },
    () => mostGroups,
  );
  const read = (size: number, call: TestCall = {}): Promise<PageRows> => {
    const question = {
      range: { size, offset: 0n },
      call: callOf(call),
    };
    return counts.read('key', question as PageQuestion);
  };
  return { counts, groups, read };
}

function pageOf(size: number): PageRows {
  return {
    json: '[]',
    rows: size,
    total: 1n,
    version: undefined,
    milliseconds: { rows: 0, count: 0 },
  };
}

describe('callers who share a count', () => {
  it('wait while it is counted for one, and are then read together, each with the page that was asked for', async () => {
    const { counts, groups, read } = byHand();
    const first = read(1);
    const others = [read(2), read(3), read(4)];
    expect(groups.map(({ sizes }) => sizes)).toEqual([[1]]);
    expect(counts.isBusy('key')).toBe(true);
    groups[0]?.answer();
    expect((await first).rows).toBe(1);
    await expect.poll(() => groups.length).toBe(2);
    expect(groups[1]?.sizes).toEqual([2, 3, 4]);
    groups[1]?.answer();
    expect((await Promise.all(others)).map(({ rows }) => rows)).toEqual([2, 3, 4]);
    expect(counts.isBusy('key')).toBe(false);
  });

  it('are at most so many in one snapshot', async () => {
    const { groups, read } = byHand();
    const all = Array.from({ length: 41 }, (_, index) => read(index + 1));
    for (const place of [0, 1, 2]) {
      await expect.poll(() => groups.length).toBe(place + 1);
      groups[place]?.answer();
    }
    expect((await Promise.all(all)).map(({ rows }) => rows)).toEqual(
      Array.from({ length: 41 }, (_, index) => index + 1),
    );
    expect(groups.map(({ sizes }) => sizes.length)).toEqual([1, 32, 8]);
  });

  it('take turns: one with many pages keeps nobody else out of the next group', async () => {
    const { groups, read } = byHand();
    const all = Array.from({ length: 50 }, (_, index) =>
      read(index + 1, { callers: new Callers('a') }),
    );
    all.push(read(100, { callers: new Callers('b') }));
    expect([...(groups[0]?.callers ?? [])]).toEqual(['a', 'b']);
    for (const place of [0, 1, 2]) {
      await expect.poll(() => groups.length).toBe(place + 1);
      groups[place]?.answer();
    }
    await Promise.all(all);
    expect(groups[1]?.sizes.slice(0, 3)).toEqual([2, 100, 3]);
    expect(groups.map(({ callers }) => [...callers])).toEqual([['a', 'b'], ['a', 'b'], ['a']]);
  });

  it('are read in several groups at a time where that is allowed', async () => {
    const { groups, read } = byHand(2);
    const all = [1, 2, 3, 4].map((size) => read(size));
    expect(groups.map(({ sizes }) => sizes)).toEqual([[1], [2]]);
    groups[1]?.answer();
    await expect.poll(() => groups.length).toBe(3);
    expect(groups[2]?.sizes).toEqual([3, 4]);
    groups[0]?.answer();
    groups[2]?.answer();
    expect((await Promise.all(all)).map(({ rows }) => rows)).toEqual([1, 2, 3, 4]);
  });

  it('share a failure, and those who wait are read all the same', async () => {
    const { groups, read } = byHand();
    const [first, second] = [read(1), read(2)];
    groups[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await expect.poll(() => groups.length).toBe(2);
    groups[1]?.answer();
    expect((await second).rows).toBe(2);
  });

  it('may leave: the reading stops when all have, and who leaves before it begins is not read for', async () => {
    const { groups, read } = byHand();
    const leavers = [new AbortController(), new AbortController()];
    const left = leavers.map(({ signal }, index) => read(index + 1, { signal }));
    const staying = read(3);
    leavers.forEach((leaver) => leaver.abort());
    for (const page of left) await expect(page).rejects.toMatchObject({ code: 'cancelled' });
    expect(groups[0]?.signal.aborted).toBe(true);
    await expect.poll(() => groups.length).toBe(2);
    expect(groups[1]?.sizes).toEqual([3]);
    groups[1]?.answer();
    expect((await staying).rows).toBe(3);
  });

  it('who leaves stops nothing for the others who are read together with them', async () => {
    const { groups, read } = byHand();
    const leavers = [new AbortController(), new AbortController()];
    const first = read(1);
    const members = leavers.map(({ signal }, index) => read(index + 2, { signal }));
    groups[0]?.answer();
    await first;
    await expect.poll(() => groups.length).toBe(2);
    expect(groups[1]?.sizes).toEqual([2, 3]);
    leavers[0]?.abort();
    await expect(members[0]).rejects.toMatchObject({ code: 'cancelled' });
    expect(groups[1]?.signal.aborted).toBe(false);
    leavers[1]?.abort();
    await expect(members[1]).rejects.toMatchObject({ code: 'cancelled' });
    expect(groups[1]?.signal.aborted).toBe(true);
  });

  it('wait no longer than their own time', async () => {
    const { groups, read } = byHand();
    const first = read(1);
    await expect(read(2, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'query_timeout' });
    groups[0]?.answer();
    expect((await first).rows).toBe(1);
  });
});
