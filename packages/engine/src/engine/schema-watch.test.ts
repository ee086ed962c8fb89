import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { SchemaWatch } from './schema-watch.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A watch whose readings take a while, and how many began and ended. */
function startWatch(readingMs: number, checkMs = 1e9) {
  const readings = { begun: 0, ended: 0 };
  const watch = new SchemaWatch(
    async () => {
      readings.begun += 1;
      // By the clock of the test.
      await new Promise((resolve) => setTimeout(resolve, readingMs));
      readings.ended += 1;
    },
    { checkMs },
  );
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
      {
        checkMs: 1e9,
      },
    );
    onTestFinished(() => watch.close());
    await expect(watch.refresh()).rejects.toThrow('It is away.');
    failing = false;
    await expect(watch.refresh()).resolves.toBeUndefined();
  });
});
