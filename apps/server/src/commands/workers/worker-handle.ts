import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';

import { ownProgram } from '@proj/engine';

import type { BytesLog } from '../../log/process-log.ts';
import { Channel, type Handlers } from './channel.ts';
import type { ToPrimary, ToWorker } from './protocol.ts';
import { closeUntaken } from './untaken-connections.ts';

const PROGRAM = {
  name: 'worker',
  // `.ts` when the sources run as they are, `.js` when built.
  file: new URL(`./worker-process${extname(import.meta.url)}`, import.meta.url),
};

/** A worker process, as the primary process sees it. */
export interface WorkerHandle {
  /** Which one it is, from 1; the one that takes its place has the same number. */
  readonly number: number;
  readonly pid: number | undefined;
  readonly channel: Channel<ToWorker, ToPrimary>;
  readonly startedAt: number;
  /** Whether it has not ended yet. */
  readonly isRunning: () => boolean;
  /** Resolves with how it ended, when it has and all that it wrote is read. */
  readonly ended: Promise<string>;
  /** Ends it at once. */
  readonly kill: () => void;
}

/** How a worker is started. */
export interface ForkOptions {
  readonly number: number;
  readonly handlers: Handlers<ToPrimary>;
  /** Takes the lines of its log. */
  readonly log: BytesLog;
}

/**
 * Starts a worker. It listens through the primary process, which hands it connections in turn. The
 * lines that it logs come through here, so that those of two workers never mix.
 */
export function forkWorker({ number, handlers, log }: ForkOptions): WorkerHandle {
  const { module, execArgv } = ownProgram(PROGRAM);
  cluster.setupPrimary({
    exec: module,
    execArgv,
    args: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const worker = cluster.fork();
  closeUntaken(worker.process);
  const channel = new Channel<ToWorker, ToPrimary>(portOf(worker), handlers);
  if (worker.process.stdout !== null) forwardLines(worker.process.stdout, log);
  let running = true;
  const ended = once(worker.process, 'close').then(([code, signal]) => {
    running = false;
    const how = signal === null ? `exit code ${String(code)}` : String(signal);
    channel.close(new Error(`Worker ${number} has ended (${how}).`));
    return how;
  });
  return {
    number,
    pid: worker.process.pid,
    channel,
    startedAt: performance.now(),
    isRunning: () => running,
    ended,
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

function portOf(worker: Worker): ConstructorParameters<typeof Channel>[0] {
  // A worker that cannot be reached has ended, or is about to; its end says so.
  worker.on('error', () => undefined);
  return {
    send: (message) => void (worker.isConnected() && worker.send(message, () => undefined)),
    onMessage: (listener) => void worker.on('message', listener),
  };
}

/**
 * Passes whole lines on, without looking into them. A line that the worker did not finish gets an
 * end of its own.
 */
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
