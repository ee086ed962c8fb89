import { describe, expect, it } from 'vitest';

import { QueryFailedError } from '../errors.ts';
import { Callers } from '../sources/callers.ts';
import { callOf, type TestCall } from '../../test/call.ts';
import { SingleFlight } from './single-flight.ts';

/** Answers that are given by hand, with the signal that each one got. */
function byHand() {
  const flights = new SingleFlight<string>();
  const begun: (PromiseWithResolvers<string> & { signal: AbortSignal; callers: Callers })[] = [];
  const join = (waiting: TestCall = {}): Promise<string> => {
    return flights.join(
      'key',
      ({ signal, callers }) => {
        const answer = { ...Promise.withResolvers<string>(), signal, callers };
        begun.push(answer);
        signal.addEventListener('abort', () =>
          answer.reject(new QueryFailedError('cancelled', 'Nobody waits.')),
        );
        return answer.promise;
      },
      callOf(waiting),
    );
  };
  return { join, begun };
}

describe('equal questions', () => {
  it('that come while one is being answered share the next answer, which begins after they came', async () => {
    const { join, begun } = byHand();
    const first = join();
    const others = [join(), join(), join()];
    expect(begun).toHaveLength(1);
    begun[0]?.resolve('before');
    expect(await first).toBe('before');
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.resolve('after');
    expect(await Promise.all(others)).toEqual(['after', 'after', 'after']);
    expect(begun).toHaveLength(2);
  });

  it('share a failure, and the next question is answered anew', async () => {
    const { join, begun } = byHand();
    const first = join();
    begun[0]?.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    const second = join();
    begun[1]?.resolve('mended');
    expect(await second).toBe('mended');
  });

  it('are read in the turn of anybody who waits for the answer, or for the one before', async () => {
    const { join, begun } = byHand();
    void join({ callers: new Callers('a') });
    const [second] = [join({ callers: new Callers('b') }), join({ callers: new Callers('c') })];
    expect([...(begun[0]?.callers ?? [])]).toEqual(['a', 'b', 'c']);
    begun[0]?.resolve('before');
    await expect.poll(() => begun.length).toBe(2);
    expect([...(begun[1]?.callers ?? [])]).toEqual(['b', 'c']);
    begun[1]?.resolve('after');
    expect(await second).toBe('after');
  });

  it('are told nothing of the failure of the one before', async () => {
    const { join, begun } = byHand();
    const [first, second] = [join(), join()];
    begun[0]?.reject(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.resolve('fine');
    expect(await second).toBe('fine');
  });
});

describe('a caller who leaves', () => {
  it('alone stops the answer', async () => {
    const { join, begun } = byHand();
    const leaver = new AbortController();
    const answer = join({ signal: leaver.signal });
    leaver.abort();
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(begun[0]?.signal.aborted).toBe(true);
  });

  it('does not stop it for the others', async () => {
    const { join, begun } = byHand();
    const leaver = new AbortController();
    const first = join();
    const [leaving, staying] = [join({ signal: leaver.signal }), join()];
    begun[0]?.resolve('1');
    await first;
    await expect.poll(() => begun.length).toBe(2);
    leaver.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    expect(begun[1]?.signal.aborted).toBe(false);
    begun[1]?.resolve('2');
    expect(await staying).toBe('2');
  });

  it('before the shared answer begins leaves none to be begun, and who comes then gets one', async () => {
    const { join, begun } = byHand();
    const leaver = new AbortController();
    const first = join();
    const leaving = join({ signal: leaver.signal });
    leaver.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    const late = join();
    begun[0]?.resolve('1');
    await first;
    await expect.poll(() => begun.length).toBe(2);
    begun[1]?.resolve('2');
    expect(await late).toBe('2');
  });

  it('who has left already gets no answer', async () => {
    const { join } = byHand();
    await expect(join({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('waits no longer than its own time for the one before and its own', async () => {
    const { join, begun } = byHand();
    const first = join();
    const impatient = join({ timeoutMs: 20 });
    await expect(impatient).rejects.toMatchObject({ code: 'query_timeout' });
    begun[0]?.resolve('1');
    expect(await first).toBe('1');
  });
});
