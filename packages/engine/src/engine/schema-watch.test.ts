import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { SchemaWatch, retryAfterRefresh } from './schema-watch.ts';
import { QueryFailedError, type QueryFailure } from '../errors.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A watch whose readings take a while, and how many began and ended. */
function startWatch(readingMs: number, checkMs = 1e9) {
  const readings = { begun: 0, ended: 0 };
  const watch = new SchemaWatch(async () => {
    readings.begun += 1;
    // By the clock of the test.
    await new Promise((resolve) => setTimeout(resolve, readingMs));
    readings.ended += 1;
  }, checkMs);
  onTestFinished(() => watch.close());
  return { watch, readings };
}

describe('a watch of the schema', () => {
  it('reads the schema once for all who ask before the reading begins', async () => {
    const { watch, readings } = startWatch(10);
    const all = Promise.all([watch.refresh(), watch.refresh(), watch.refresh()]);
    await vi.advanceTimersByTimeAsync(10);
    await all;
    expect(readings).toEqual({ begun: 1, ended: 1 });
  });

  it('gives nobody the result of a reading that had begun before', async () => {
    const { watch, readings } = startWatch(10);
    const first = watch.refresh();
    await vi.advanceTimersByTimeAsync(5);
    const second = watch.refresh();
    await vi.advanceTimersByTimeAsync(5);
    await first;
    expect(readings).toEqual({ begun: 1, ended: 1 });
    await vi.advanceTimersByTimeAsync(210);
    await second;
    expect(readings).toEqual({ begun: 2, ended: 2 });
  });

  it('spends at most a twenty-first of the time on readings, however many ask', async () => {
    const { watch, readings } = startWatch(10);
    for (let ms = 0; ms < 2000; ms += 1) {
      void watch.refresh();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(readings.begun).toBe(10);
  });

  it('lets nobody wait longer than a second for a slow reading to begin', async () => {
    const { watch, readings } = startWatch(5000);
    const first = watch.refresh();
    await vi.advanceTimersByTimeAsync(5000);
    await first;
    void watch.refresh();
    await vi.advanceTimersByTimeAsync(999);
    expect(readings.begun).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(readings.begun).toBe(2);
  });

  it('reads the schema by itself from time to time, until it is closed', async () => {
    const { watch, readings } = startWatch(0, 30_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readings.begun).toBe(2);
    watch.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readings.begun).toBe(2);
  });

  it('checks a schema that takes long to read less often', async () => {
    const { readings } = startWatch(1000, 5000);
    await vi.advanceTimersByTimeAsync(46_000);
    expect(readings.begun).toBe(2);
  });

  it('fails for those who asked when the schema cannot be read, and reads it again for the next', async () => {
    let failing = true;
    const watch = new SchemaWatch(
      () => (failing ? Promise.reject(new Error('It is away.')) : Promise.resolve()),
      1e9,
    );
    onTestFinished(() => watch.close());
    await expect(watch.refresh()).rejects.toThrow('It is away.');
    failing = false;
    await expect(watch.refresh()).resolves.toBeUndefined();
  });
});

const failed = (code: QueryFailure): QueryFailedError =>
  new QueryFailedError(code, `It is ${code}.`);

/** Attempts that fail with these errors, and succeed then; how often the schema was read. */
async function attempt(errors: readonly Error[], mayGoOn = true) {
  const left = [...errors];
  let refreshes = 0;
  const result = await retryAfterRefresh(
    async () => {
      const error = left.shift();
      if (error !== undefined) throw error;
      return 'answer';
    },
    async () => {
      refreshes += 1;
      return mayGoOn;
    },
  ).catch((error: unknown) => error);
  return { result, refreshes };
}

describe('a query that fails because of the schema', () => {
  it('is attempted once again when its model was unavailable', async () => {
    const gone = failed('model_unavailable');
    expect(await attempt([gone])).toEqual({ result: 'answer', refreshes: 1 });
    expect(await attempt([gone, gone])).toEqual({ result: gone, refreshes: 1 });
  });

  it('is attempted twice again when the schema changed, and its model is unreadable then', async () => {
    const changed = failed('schema_changed');
    expect(await attempt([changed, changed])).toEqual({ result: 'answer', refreshes: 2 });
    const { result, refreshes } = await attempt([changed, changed, changed]);
    expect(refreshes).toBe(2);
    expect(result).toMatchObject({
      code: 'model_unreadable',
      message: changed.message,
      cause: changed,
    });
  });

  it('is not attempted again when another catalogue was applied meanwhile', async () => {
    const changed = failed('schema_changed');
    expect(await attempt([changed], false)).toEqual({ result: changed, refreshes: 1 });
  });
});

describe('a query that fails otherwise', () => {
  it.each([failed('overloaded'), new Error('broken')])('fails at once: %s', async (error) => {
    expect(await attempt([error])).toEqual({ result: error, refreshes: 0 });
  });
});
