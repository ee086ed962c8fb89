import type { Principal } from '@proj/fastify/host';
import { expect, it } from 'vitest';

import { RunningCalls } from './running-calls.ts';

type Request = Parameters<RunningCalls['noteCancellation']>[0];

function from(caller: string, body: unknown, address = '192.0.2.1'): Request {
  return { body, address, principal: { id: caller } as Principal };
}

const call = (id: string | number): object => ({ jsonrpc: '2.0', id, method: 'tools/call' });

const cancelled = (requestId: string | number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

const never = new AbortController().signal;

/** Starts a call that ends when it is aborted. */
function start(calls: RunningCalls, request: Request): { isStopped: boolean } {
  const started = { isStopped: false };
  void calls.run(
    request,
    never,
    (signal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          started.isStopped = true;
          resolve();
        });
      }),
  );
  return started;
}

it('a notification stops the call of its caller and its id, and no other', () => {
  const calls = new RunningCalls();
  const [one, other] = [start(calls, from('ann', call(1))), start(calls, from('ann', call('1')))];
  const elsewhere = start(calls, from('ann', call(1), '192.0.2.2'));
  const bobs = start(calls, from('bob', call(1)));
  calls.noteCancellation(from('ann', cancelled(1)));
  expect([one, other, elsewhere, bobs].map(({ isStopped }) => isStopped)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

it('a notification stops neither of two calls that have its id, whose clients it cannot tell apart', async () => {
  const calls = new RunningCalls();
  const both = [start(calls, from('ann', call(1))), start(calls, from('ann', call(1)))];
  calls.noteCancellation(from('ann', cancelled(1)));
  expect(both.map(({ isStopped }) => isStopped)).toEqual([false, false]);
});

it('a call that has ended is not in the way of the next one with its id', async () => {
  const calls = new RunningCalls();
  expect(await calls.run(from('ann', call(1)), never, async () => 'done')).toBe('done');
  const next = start(calls, from('ann', call(1)));
  calls.noteCancellation(from('ann', { method: 'notifications/cancelled' }));
  expect(next.isStopped).toBe(false);
  calls.noteCancellation(from('ann', cancelled(1)));
  expect(next.isStopped).toBe(true);
});
