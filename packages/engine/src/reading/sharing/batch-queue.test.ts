import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { callBy } from '../../../test/page-questions.ts';
import { ReaderByHand, settled } from '../../../test/reader-by-hand.ts';
import { QueryFailedError, type QueryFailure } from '../../errors.ts';
import { BatchQueue } from './batch-queues.ts';
import type { Question } from '../reader.ts';

const CANCELLED = new QueryFailedError('cancelled', 'The caller disconnected.');

/** A queue whose batches are read by hand; a question is known by its key. */
function startQueue() {
  const next = new ReaderByHand<Question, string>();
  const queue = new BatchQueue(next, 32);
  const add = (key: number, call = callBy()): Promise<string> =>
    queue.add({ key: String(key), relations: [] }, call);
  const keysOf = (batch: number): number[] =>
    (next.reads[batch]?.questions ?? []).map(({ key }) => Number(key));
  const answer = (batch: number): void => next.reads[batch]?.answer(...keysOf(batch).map(String));
  return { queue, add, keysOf, answer, reads: next.reads };
}

describe('questions in a queue', () => {
  it('wait while others are answered, and are then answered together, each with its own answer', async () => {
    const { queue, add, keysOf, answer, reads } = startQueue();
    const first = add(1);
    const end = queue.readAll();
    const others = [add(2), add(3), add(4)];
    expect([reads.length, keysOf(0), queue.running]).toEqual([1, [1], 1]);
    answer(0);
    expect(await first).toBe('1');
    await expect.poll(() => reads.length).toBe(2);
    expect(keysOf(1)).toEqual([2, 3, 4]);
    answer(1);
    expect(await Promise.all(others)).toEqual(['2', '3', '4']);
    await end;
    expect([queue.running, reads.map(({ batch }) => batch)]).toEqual([0, [true, true]]);
  });

  it('are at most 32 in one snapshot', async () => {
    const { queue, add, answer, reads } = startQueue();
    const all = Array.from({ length: 41 }, (_, index) => add(index));
    void queue.readAll();
    for (const batch of [0, 1]) {
      await expect.poll(() => reads.length).toBe(batch + 1);
      answer(batch);
    }
    expect(await Promise.all(all)).toEqual(Array.from({ length: 41 }, (_, index) => String(index)));
    expect(reads.map(({ questions }) => questions.length)).toEqual([32, 9]);
  });

  it('are taken in turns: a caller with many keeps nobody else out of the next batch', async () => {
    const { queue, add, keysOf, answer, reads } = startQueue();
    const all = [add(0, callBy('a'))];
    void queue.readAll();
    for (let key = 1; key < 50; key++) all.push(add(key, callBy('a')));
    all.push(add(100, callBy('b')));
    expect([...(reads[0]?.call.callers ?? [])]).toEqual(['a', 'b']);
    for (const batch of [0, 1, 2]) {
      await expect.poll(() => reads.length).toBe(batch + 1);
      answer(batch);
    }
    await Promise.all(all);
    expect(keysOf(1).slice(0, 3)).toEqual([1, 100, 2]);
    expect(reads.map(({ call }) => [...(call.callers ?? [])])).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a'],
    ]);
  });

  it('without a caller are of one caller together', () => {
    const { queue, add, reads } = startQueue();
    const { callers: _, ...call } = callBy();
    void add(1, call);
    void queue.readAll();
    expect([...(reads[0]?.call.callers ?? [])]).toEqual(['']);
  });

  it('are read in several batches at a time when that is asked for', async () => {
    const { queue, add, keysOf, answer, reads } = startQueue();
    const first = add(1);
    void queue.readAll();
    const second = add(2);
    void queue.readAll();
    const others = [add(3), add(4)];
    expect([keysOf(0), keysOf(1), queue.running]).toEqual([[1], [2], 2]);
    answer(1);
    await expect.poll(() => reads.length).toBe(3);
    expect(keysOf(2)).toEqual([3, 4]);
    answer(0);
    answer(2);
    expect(await Promise.all([first, second, ...others])).toEqual(['1', '2', '3', '4']);
  });

  it('share an error, and those who wait are answered all the same', async () => {
    const { queue, add, answer, reads } = startQueue();
    const first = add(1);
    void queue.readAll();
    const second = add(2);
    reads[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await expect.poll(() => reads.length).toBe(2);
    answer(1);
    expect(await second).toBe('2');
  });

  it('that a batch brings no answer to are failed', async () => {
    const { queue, add, reads } = startQueue();
    const answers = [add(1), add(2)];
    void queue.readAll();
    reads[0]?.answer('1');
    expect(await answers[0]).toBe('1');
    await expect(answers[1]).rejects.toThrow('without this question');
  });

  it('are read until the last of their deadlines, and wait as long as the one that waited least may', () => {
    const { queue, add, reads } = startQueue();
    for (const deadline of [10, 30, 20])
      void add(deadline, { ...callBy('a', { deadline }), waitedMs: deadline });
    void queue.readAll();
    expect(reads[0]?.call).toMatchObject({ deadline: 30, waitedMs: 10 });
  });
});

function failureOf(code: QueryFailure): QueryFailedError {
  return new QueryFailedError(code, 'It fails.');
}

describe('questions whose batch fails', () => {
  it.each<QueryFailure>(['data_error', 'model_unreadable', 'overloaded', 'reply_too_large'])(
    'by %s are each read alone, so that only those have an error that fail',
    async (code) => {
      const { queue, add, keysOf, answer, reads } = startQueue();
      const [failure, calls] = [failureOf(code), [callBy('a'), callBy('b')]];
      const answers = calls.map((call, key) => add(key, call));
      void queue.readAll();
      reads[0]?.fail(failure);
      await expect.poll(() => reads.length).toBe(3);
      expect([keysOf(1), keysOf(2), queue.running]).toEqual([[0], [1], 1]);
      expect(reads.slice(1).map(({ call }) => call)).toMatchObject(calls);
      reads[1]?.fail(failure);
      answer(2);
      await expect(answers[0]).rejects.toBe(failure);
      expect(await answers[1]).toBe('1');
      expect(reads).toHaveLength(3);
    },
  );

  it.each<QueryFailure>(['database_unavailable', 'query_timeout', 'schema_changed'])(
    'by %s share the error',
    async (code) => {
      const { queue, add, reads } = startQueue();
      const answers = [add(1), add(2)];
      void queue.readAll();
      reads[0]?.fail(failureOf(code));
      for (const one of answers) await expect(one).rejects.toMatchObject({ code });
      expect(reads).toHaveLength(1);
    },
  );

  it('share the error where they are equal', async () => {
    const { queue, add, reads } = startQueue();
    const answers = [add(1), add(1)];
    void queue.readAll();
    const failure = failureOf('overloaded');
    reads[0]?.fail(failure);
    for (const one of answers) await expect(one).rejects.toBe(failure);
    expect(reads).toHaveLength(1);
  });

  it.each([
    { code: 'overloaded', waitedMs: 2000 },
    { code: 'data_error', waitedMs: 0 },
  ] as const)('by $code have waited for a connection for $waitedMs ms', async (one) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(5000);
    const { queue, add, reads } = startQueue();
    for (const key of [1, 2]) void add(key);
    void queue.readAll();
    vi.advanceTimersByTime(2000);
    reads[0]?.fail(failureOf(one.code));
    await settled();
    expect(reads.slice(1).map(({ call }) => call.waitedMs)).toEqual([one.waitedMs, one.waitedMs]);
  });
});

describe('callers whose time is over', () => {
  const LATE = new QueryFailedError('query_timeout', 'It took too long.');

  it('may still have the answer of the first read, and wait for no later one', async () => {
    const { queue, add, reads } = startQueue();
    const [early, late] = [new AbortController(), new AbortController()];
    const first = [add(1, callBy('a', early)), add(2)];
    void queue.readAll();
    const next = add(3, callBy('b', late));
    for (const one of [early, late]) one.abort(LATE);
    const settling = settled().then(() => 'still waits');
    await expect(Promise.race([next, settling])).rejects.toBe(LATE);
    reads[0]?.answer('1', '2');
    expect(await Promise.all(first)).toEqual(['1', '2']);
  });
});

describe('callers who disconnect', () => {
  it('stop a batch when all of them have, and are not read for before it begins', async () => {
    const { queue, add, keysOf, answer, reads } = startQueue();
    const leavers = [new AbortController(), new AbortController()];
    const [first, second] = leavers.map((leaver, index) => {
      const page = add(index, callBy('a', leaver));
      if (index === 0) void queue.readAll();
      return page;
    });
    const staying = add(3);
    leavers.forEach((leaver) => leaver.abort(CANCELLED));
    await expect(first).rejects.toBe(CANCELLED);
    await expect(second).rejects.toBe(CANCELLED);
    expect(reads[0]?.call.signal.reason).toBe(CANCELLED);
    await expect.poll(() => reads.length).toBe(2);
    expect(keysOf(1)).toEqual([3]);
    answer(1);
    expect(await staying).toBe('3');
  });

  it('leave nothing to be read when all who waited have', async () => {
    const { queue, add, answer, reads } = startQueue();
    const leaver = new AbortController();
    const first = add(1);
    const end = queue.readAll();
    const leaving = add(2, callBy('a', leaver));
    leaver.abort(CANCELLED);
    await expect(leaving).rejects.toBe(CANCELLED);
    answer(0);
    await Promise.all([first, end]);
    expect(reads).toHaveLength(1);
  });

  it('stop nothing for the others of their batch', async () => {
    const { queue, add, reads } = startQueue();
    const leavers = [new AbortController(), new AbortController()];
    const pages = leavers.map((leaver, index) => add(index, callBy('a', leaver)));
    void queue.readAll();
    leavers[0]?.abort(CANCELLED);
    await expect(pages[0]).rejects.toBe(CANCELLED);
    expect(reads[0]?.call.signal.aborted).toBe(false);
    leavers[1]?.abort(CANCELLED);
    await expect(pages[1]).rejects.toBe(CANCELLED);
    expect(reads[0]?.call.signal.aborted).toBe(true);
  });
});
