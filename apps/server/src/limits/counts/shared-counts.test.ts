import { EventEmitter } from 'node:events';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { REQUESTS } from './policies.ts';
import type { Consumption } from './rate-limit-state.ts';
import { SCRIPT, SCRIPT_SHA1 } from './redis-script.ts';

type Command = (...parameters: readonly unknown[]) => Promise<unknown>;

const OK = [[1, 1, 900]];
const USAGES = [{ consumed: 1, allowed: true, resetMs: 900 }];
const CONSUMPTION: Consumption = {
  policy: REQUESTS,
  owner: 'ann',
  limit: 10,
  amount: 1,
  unconditional: false,
};
const PARAMETERS = [1, 'dynamic-query:{ann}:requests-per-minute', 10, 1, 0, 1000, 60];

/** A connection that answers as the test says. */
class FakeRedis extends EventEmitter {
  status = 'ready';
  readonly evalsha = vi.fn<Command>(() => Promise.resolve(OK));
  readonly eval = vi.fn<Command>(() => Promise.resolve(OK));
  readonly disconnect = vi.fn<() => void>();
}

const ioredis = vi.hoisted(() => ({ connect: (): unknown => undefined }));
vi.mock('ioredis', () => ({
  Redis: vi.fn<() => unknown>(function connect() {
    return ioredis.connect();
  }),
}));
// Another test file of the same worker may have imported it with the real client.
vi.resetModules();
const { SharedCounts } = await import('./shared-counts.ts');

const DOWN = 'Redis does not answer; until it does, this process counts for itself';
const BACK = 'Redis answers again; the limits are shared';

function start() {
  const lines: unknown[][] = [];
  const log = {
    warn: (...line: unknown[]) => void lines.push(line),
    info: (...line: unknown[]) => void lines.push(line),
  };
  const connection = new FakeRedis();
  ioredis.connect = () => connection;
  const counts = new SharedCounts('redis://127.0.0.1', { log });
  return { counts, connection, lines };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('counts by the script that Redis has, in one round trip', async () => {
  const { counts, connection } = start();

  expect(await counts.consume([CONSUMPTION])).toEqual(USAGES);
  expect(connection.evalsha.mock.calls).toEqual([[SCRIPT_SHA1, ...PARAMETERS]]);
  expect(connection.eval).not.toHaveBeenCalled();
});

it('sends the script where Redis does not have it', async () => {
  const { counts, connection, lines } = start();
  connection.evalsha.mockRejectedValueOnce(new Error('NOSCRIPT No matching script.'));

  expect(await counts.consume([CONSUMPTION])).toEqual(USAGES);
  expect(connection.eval.mock.calls).toEqual([[SCRIPT, ...PARAMETERS]]);
  expect(lines).toEqual([]);
});

it.each([new Error('READONLY'), 'a text that is no error'])(
  'logs a failure (%s) once, and asks Redis no more until it answers',
  async (error) => {
    const { counts, connection, lines } = start();
    connection.evalsha.mockRejectedValue(error);

    expect(await counts.consume([CONSUMPTION])).toBeUndefined();
    expect(await counts.consume([CONSUMPTION])).toBeUndefined();
    connection.emit('error', new Error('a later failure of the same outage'));

    expect(connection.evalsha).toHaveBeenCalledOnce();
    expect(connection.eval).not.toHaveBeenCalled();
    const reason = error instanceof Error ? error.message : error;
    expect(lines).toEqual([[{ reason }, DOWN]]);
  },
);

it('probes twice a second, and counts in Redis again once a probe is answered', async () => {
  const { counts, connection, lines } = start();
  connection.emit('error', new Error('connect ECONNREFUSED'));
  connection.status = 'reconnecting';
  await vi.advanceTimersByTimeAsync(500);
  expect(connection.evalsha).not.toHaveBeenCalled();

  connection.status = 'ready';
  connection.evalsha.mockRejectedValueOnce(new Error('Command timed out'));
  await vi.advanceTimersByTimeAsync(500);
  expect(await counts.consume([CONSUMPTION])).toBeUndefined();
  await vi.advanceTimersByTimeAsync(500);

  const probe = [1, 'dynamic-query:{probe}:requests-per-minute', 1, 1, 1, 1000, 60];
  expect(connection.evalsha.mock.calls).toEqual([
    [SCRIPT_SHA1, ...probe],
    [SCRIPT_SHA1, ...probe],
  ]);
  expect(await counts.consume([CONSUMPTION])).toEqual(USAGES);
  expect(lines).toEqual([[{ reason: 'connect ECONNREFUSED' }, DOWN], [BACK]]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(connection.evalsha, 'the probing ends').toHaveBeenCalledTimes(3);
});

it('logs the next outage anew', async () => {
  const { connection, lines } = start();
  connection.emit('error', new Error('first'));
  await vi.advanceTimersByTimeAsync(500);
  connection.emit('error', new Error('second'));

  expect(lines).toEqual([[{ reason: 'first' }, DOWN], [BACK], [{ reason: 'second' }, DOWN]]);
});

it('reports that it is back once, however many probes are answered', async () => {
  const { connection, lines } = start();
  const answer = Promise.withResolvers<unknown>();
  connection.evalsha.mockReturnValue(answer.promise);
  connection.emit('error', new Error('down'));
  await vi.advanceTimersByTimeAsync(1000);
  answer.resolve(OK);
  await vi.advanceTimersByTimeAsync(0);

  expect(connection.evalsha).toHaveBeenCalledTimes(2);
  expect(lines).toEqual([[{ reason: 'down' }, DOWN], [BACK]]);
});

it('asks nothing before the connection is ready', async () => {
  const { counts, connection, lines } = start();
  connection.status = 'connecting';

  expect(await counts.consume([CONSUMPTION])).toBeUndefined();
  expect(connection.evalsha).not.toHaveBeenCalled();
  expect(lines).toEqual([]);
});

it('disconnects when it is closed, and neither probes nor logs any more', async () => {
  const { counts, connection, lines } = start();
  connection.emit('error', new Error('down'));
  counts.close();
  connection.emit('error', new Error('Connection is closed.'));
  await vi.advanceTimersByTimeAsync(5000);

  expect(connection.disconnect).toHaveBeenCalledOnce();
  expect(connection.evalsha).not.toHaveBeenCalled();
  expect(lines).toHaveLength(1);
});

it('logs nothing of an outage that begins or ends when it was closed', async () => {
  const closed = start();
  closed.counts.close();
  closed.connection.emit('error', new Error('Connection is closed.'));
  const closing = start();
  const answer = Promise.withResolvers<unknown>();
  closing.connection.evalsha.mockReturnValue(answer.promise);
  closing.connection.emit('error', new Error('down'));
  await vi.advanceTimersByTimeAsync(500);
  closing.counts.close();
  answer.resolve(OK);
  await vi.advanceTimersByTimeAsync(0);

  expect(closed.lines).toEqual([]);
  expect(closing.lines).toEqual([[{ reason: 'down' }, DOWN]]);
});
