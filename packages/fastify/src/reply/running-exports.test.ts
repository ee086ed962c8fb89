import { expect, it, onTestFinished, vi } from 'vitest';

import { RunningExport } from './running-exports.ts';

function startExport(isSame: () => Promise<boolean>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const caller = new AbortController();
  const access = { isSame, forget: () => undefined };
  const running = new RunningExport({ signal: caller.signal, access });
  return { caller, running };
}

it('an export is stopped within a second of the end of its token, though nothing is written', async () => {
  const expired = new Error('expired');
  const { running } = startExport(() => Promise.reject(expired));
  await vi.advanceTimersByTimeAsync(1000);
  expect([running.signal.reason, running.stoppedBy]).toEqual([expired, expired]);
});

it('an export whose caller leaves was not stopped, and one that has ended looks at nothing', async () => {
  const isSame = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
  const { caller, running } = startExport(isSame);
  await vi.advanceTimersByTimeAsync(1000);
  caller.abort();
  expect([running.signal.aborted, running.stoppedBy]).toEqual([true, undefined]);
  running.end();
  expect(vi.getTimerCount()).toBe(0);
  expect(isSame).toHaveBeenCalledOnce();
});
