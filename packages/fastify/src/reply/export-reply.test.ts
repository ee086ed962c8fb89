import { expect, it, onTestFinished, vi } from 'vitest';

import type { Ask } from '../endpoint/ask.ts';
import { HttpProblem } from '../endpoint/problems.ts';
import { ExportReply, RunningExports } from './export-reply.ts';

/** An export that writes nothing until it is stopped, or ends. */
function startExport(isSame: () => Promise<boolean>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const caller = new AbortController();
  const exports = new RunningExports();
  const access = { isSame, forget: () => undefined };
  const ask = { signal: caller.signal } as Ask;
  const reply = new ExportReply('application/jsonl', { ask, access, exports });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const run = reply.run((signal) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
    return promise;
  });
  return { caller, exports, reply, run, end: resolve };
}

it('an export is stopped within a second of the end of its token, though nothing is written', async () => {
  const expired = new HttpProblem('unauthenticated', 'The token has expired.');
  const { reply } = startExport(() => Promise.reject(expired));
  const failure = reply.begun.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await failure).toBe(expired);
});

it('an export whose caller leaves was not stopped, and one that has ended looks at nothing', async () => {
  const isSame = vi.fn<() => Promise<boolean>>().mockResolvedValue(true);
  const left = startExport(isSame);
  await vi.advanceTimersByTimeAsync(1000);
  left.caller.abort();
  await expect(left.reply.begun).rejects.toThrow('stopped');
  const ended = startExport(isSame);
  ended.end();
  await ended.run;
  expect([ended.exports.completed, vi.getTimerCount()]).toEqual([1, 0]);
  expect(isSame).toHaveBeenCalledOnce();
});
