import { describe, expect, it } from 'vitest';

import { callBy } from '../../../test/page-questions.ts';
import { ReaderByHand, settled } from '../../../test/reader-by-hand.ts';
import { QueryFailedError } from '../../errors.ts';
import { MechanismCounters } from '../cache-stats.ts';
import type { Question } from '../reader.ts';
import { SingleFlight } from './single-flight.ts';

const CANCELLED = new QueryFailedError('cancelled', 'The caller disconnected.');

/** A link whose next one answers by hand. */
function startLink() {
  const next = new ReaderByHand<Question, string>();
  const counters = new MechanismCounters();
  const link = new SingleFlight(next, counters);
  const ask = (call = callBy(), key = 'key'): Promise<string> =>
    link.read({ key, relations: [] }, call);
  const stats = () => counters.statistics.find(({ mechanism }) => mechanism === 'single_flight');
  return { ask, reads: next.reads, stats };
}

describe('equal questions', () => {
  it('that come while one is being answered share the next answer, which begins afterwards', async () => {
    const { ask, reads, stats } = startLink();
    const first = ask();
    const others = [ask(), ask(), ask()];
    expect(reads).toHaveLength(1);
    reads[0]?.answer('before');
    expect(await first).toBe('before');
    await expect.poll(() => reads.length).toBe(2);
    reads[1]?.answer('after');
    expect(await Promise.all(others)).toEqual(['after', 'after', 'after']);
    expect(reads).toHaveLength(2);
    expect(stats()).toMatchObject({ hits: 3, misses: 1 });
  });

  it('are passed on as they were asked; another question is not held up by them', () => {
    const { ask, reads } = startLink();
    void ask();
    void ask(callBy(), 'other');
    const keys = reads.flatMap(({ questions }) => questions.map(({ key }) => key));
    expect(keys).toEqual(['key', 'other']);
  });

  it('share an error, and the next question is answered anew', async () => {
    const { ask, reads } = startLink();
    const first = ask();
    reads[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    const second = ask();
    expect(reads).toHaveLength(2);
    reads[1]?.answer('fixed');
    expect(await second).toBe('fixed');
  });

  it('share an error that is thrown before there is an answer to wait for', async () => {
    const next = {
      read: () => {
        throw new Error('broken at once');
      },
    };
    const link = new SingleFlight<Question, string>(next, new MechanismCounters());
    const ask = () => link.read({ key: 'key', relations: [] }, callBy());
    await expect(ask()).rejects.toThrow('broken at once');
    await expect(ask()).rejects.toThrow('broken at once');
  });

  it('are read in the turn of anybody who waits for the answer, or for the one before', async () => {
    const { ask, reads } = startLink();
    void ask(callBy('a'));
    const [second] = [ask(callBy('b')), ask(callBy('c'))];
    expect([...(reads[0]?.call.callers ?? [])]).toEqual(['a', 'b', 'c']);
    reads[0]?.answer('before');
    await expect.poll(() => reads.length).toBe(2);
    expect([...(reads[1]?.call.callers ?? [])]).toEqual(['b', 'c']);
    reads[1]?.answer('after');
    expect(await second).toBe('after');
  });

  it('without a caller are of one caller together', () => {
    const { ask, reads } = startLink();
    const { callers: _, ...call } = callBy();
    void ask(call);
    expect([...(reads[0]?.call.callers ?? [])]).toEqual(['']);
  });

  it('are read until the last of their deadlines', async () => {
    const { ask, reads } = startLink();
    void ask(callBy('a', { deadline: 5 }));
    for (const deadline of [10, 30, 20]) void ask(callBy('a', { deadline }));
    expect(reads[0]?.call.deadline).toBe(5);
    reads[0]?.answer('before');
    await expect.poll(() => reads.length).toBe(2);
    expect(reads[1]?.call.deadline).toBe(30);
  });

  it('do not get the error of the one before', async () => {
    const { ask, reads } = startLink();
    const [first, second] = [ask(), ask()];
    reads[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await expect.poll(() => reads.length).toBe(2);
    reads[1]?.answer('fine');
    expect(await second).toBe('fine');
  });
});

describe('a caller who disconnects', () => {
  it('alone stops the read, with the reason of the disconnection', async () => {
    const { ask, reads } = startLink();
    const leaver = new AbortController();
    const answer = ask(callBy('a', leaver));
    expect(reads[0]?.call.signal.aborted).toBe(false);
    leaver.abort(CANCELLED);
    await expect(answer).rejects.toBe(CANCELLED);
    expect(reads[0]?.call.signal.reason).toBe(CANCELLED);
  });

  it('does not stop the read for the others', async () => {
    const { ask, reads } = startLink();
    const leaver = new AbortController();
    const first = ask();
    const [leaving, staying] = [ask(callBy('a', leaver)), ask()];
    reads[0]?.answer('1');
    await first;
    await expect.poll(() => reads.length).toBe(2);
    leaver.abort(CANCELLED);
    await expect(leaving).rejects.toBe(CANCELLED);
    expect(reads[1]?.call.signal.aborted).toBe(false);
    reads[1]?.answer('2');
    expect(await staying).toBe('2');
  });

  it('before the shared read begins leaves none to begin, and who comes then gets one', async () => {
    const { ask, reads } = startLink();
    const leaver = new AbortController();
    const first = ask();
    const leaving = ask(callBy('a', leaver));
    leaver.abort(CANCELLED);
    await expect(leaving).rejects.toBe(CANCELLED);
    const late = ask();
    reads[0]?.answer('1');
    await first;
    await expect.poll(() => reads.length).toBe(2);
    reads[1]?.answer('2');
    expect(await late).toBe('2');
  });

  it('before the shared read begins, and is followed by nobody, leaves nothing to be read', async () => {
    const { ask, reads } = startLink();
    const leaver = new AbortController();
    const first = ask();
    const leaving = ask(callBy('a', leaver));
    leaver.abort(CANCELLED);
    await expect(leaving).rejects.toBe(CANCELLED);
    reads[0]?.answer('1');
    await first;
    await settled();
    const [later, latest] = [ask(), ask()];
    expect(reads).toHaveLength(2);
    reads[1]?.answer('2');
    expect(await later).toBe('2');
    await expect.poll(() => reads.length).toBe(3);
    reads[2]?.answer('3');
    expect(await latest).toBe('3');
  });

  it('before the question gets no answer', async () => {
    const { ask } = startLink();
    await expect(ask(callBy('a', { signal: AbortSignal.abort(CANCELLED) }))).rejects.toBe(
      CANCELLED,
    );
  });
});

describe('the deadline of a caller', () => {
  const TIMEOUT = new QueryFailedError('query_timeout', 'The query took longer than 20 ms.');

  it('ends the wait for the read before and for its own', async () => {
    const { ask, reads } = startLink();
    const limited = new AbortController();
    const first = ask();
    const waiting = ask(callBy('a', limited));
    limited.abort(TIMEOUT);
    await expect(waiting).rejects.toBe(TIMEOUT);
    reads[0]?.answer('1');
    expect(await first).toBe('1');
  });
});
