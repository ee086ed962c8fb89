import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';

import { ownProgram } from '@proj/engine';

import type { BytesLog } from '../../log/process-log.ts';
import { Channel, type Handlers } from './shared/channel.ts';
import type { TakeConnection, ToPrimary, ToWorker } from './shared/protocol.ts';
import { Pulse } from './shared/pulse.ts';
import type { Silences } from './shared/silences.ts';

const PROGRAM = {
  name: 'worker',
  // `.ts` when the sources run as they are, `.js` when built.
  file: new URL(`./worker-process${extname(import.meta.url)}`, import.meta.url),
};

export interface WorkerHandle {
  /** From 1; a replacement has the same number. */
  readonly number: number;
  readonly pid: number | undefined;
  readonly channel: Channel<ToWorker, ToPrimary>;
  readonly startedAt: number;
  /** Stops waiting for the answer once the worker is silent. */
  readonly ask: Channel<ToWorker, ToPrimary>['ask'];
  readonly take: TakeConnection;
  /** Not answered for a second. */
  readonly isSilent: () => boolean;
  readonly beat: () => void;
  readonly isRunning: () => boolean;
  /** Resolves with how it ended, once its output is read. */
  readonly ended: Promise<string>;
  readonly kill: () => void;
}

export interface ForkOptions {
  readonly number: number;
  readonly handlers: Handlers<ToPrimary>;
  readonly log: BytesLog;
  /** Reports when it does not answer. */
  readonly silences: Silences;
}

/** Starts a worker. Its log lines come through here, so that those of two workers never mix. */
export function forkWorker({ number, handlers, log, silences }: ForkOptions): WorkerHandle {
  const { module, execArgv } = ownProgram(PROGRAM);
  const child = fork(module, [], {
    execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const channel = new Channel<ToWorker, ToPrimary>(portOf(child), handlers);
  // One that cannot start has no output, and ends.
  if (child.pid !== undefined && child.stdout !== null) forwardLines(child.stdout, log);
  const takes = watchTakes(channel);
  let running = true;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  child.once('close', (code, signal) => {
    running = false;
    const how = signal ?? `exit code ${String(code)}`;
    channel.close(new Error(`Worker ${number} has ended (${how}).`));
    resolve(how);
  });
  const worker: WorkerHandle = {
    number,
    pid: child.pid,
    channel,
    startedAt: performance.now(),
    ask: (name, sent) => pulse.unlessSilent(channel.ask(name, sent)),
    take: takes.take,
    isSilent: () => pulse.isSilent,
    beat: () => pulse.beat(),
    isRunning: () => running,
    ended,
    kill: () => void child.kill('SIGKILL'),
  };
  const pulse = new Pulse({ ask: takes.ping, ...silences.of(worker) });
  return worker;
}

/**
 * A process without a free file descriptor never learns of a connection that it is sent. Answers
 * come in order, so that of a later ping shows it.
 */
function watchTakes(channel: WorkerHandle['channel']): {
  readonly take: TakeConnection;
  readonly ping: () => Promise<void>;
} {
  const pending = new Set<() => void>();
  return {
    take: async (connection) => {
      const { promise, resolve } = Promise.withResolvers<'lost'>();
      const lose = (): void => resolve('lost');
      pending.add(lose);
      try {
        return await Promise.race([channel.ask('take', undefined, connection), promise]);
      } finally {
        pending.delete(lose);
      }
    },
    ping: async () => {
      const sentBefore = [...pending];
      await channel.ask('ping', undefined);
      for (const lose of sentBefore) lose();
    },
  };
}

function portOf(child: ChildProcess): ConstructorParameters<typeof Channel>[0] {
  // A worker that cannot be reached or started ends, which is reported.
  child.on('error', () => undefined);
  return {
    send: (message, connection) => {
      // A connection stays open here until the worker confirms it.
      const options = { keepOpen: true };
      if (child.connected) child.send(message, connection, options, () => undefined);
    },
    onMessage: (listener) =>
      void child.on('message', (message, connection) => {
        listener(message, connection instanceof Socket ? connection : undefined);
      }),
  };
}

/** Forwards whole lines unread, and terminates an unfinished last one. */
function forwardLines(from: Readable, log: ForkOptions['log']): void {
  let rest: Buffer = Buffer.alloc(0);
  from.on('data', (bytes: Buffer) => {
    const end = bytes.lastIndexOf('\n') + 1;
    if (end > 0) {
      log.writeBytes(rest.length === 0 ? bytes.subarray(0, end) : concat(rest, bytes, end));
      rest = bytes.subarray(end);
    } else {
      rest = concat(rest, bytes);
    }
  });
  from.on('end', () => {
    if (rest.length > 0) log.writeBytes(concat(rest, Buffer.from('\n')));
  });
}

function concat(before: Buffer, after: Buffer, end = after.length): Buffer {
  return Buffer.concat([before, after.subarray(0, end)]);
}
