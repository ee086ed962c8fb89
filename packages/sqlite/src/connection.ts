import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';

import { ownProgram, type Pools, QueryFailedError, Tracing } from '@proj/engine/database';

import { toQueryError } from './connection/errors.ts';
import { SIGN_OF_LIFE, SILENCE_MS } from './connection/parent-watch.ts';
import {
  type ListProgress,
  type ProgressTaken,
  publishReport,
  type ReaderFinding,
  type ReaderMessage,
  type ReaderProgress,
  type ReaderReply,
  type ReplySize,
  type StatementReport,
} from './connection/reader-protocol.ts';

const READER = {
  name: 'reader',
  // `.ts` when the sources run as they are, `.js` when built.
  file: new URL(`./reader-process${extname(import.meta.url)}`, import.meta.url),
};

/** Takes what a reader has found so far; the reader waits until it resolves. */
export type OnProgress = (progress: ListProgress) => Promise<void>;

export class ReaderConnection implements Pools.PooledConnection {
  replyRead: Pools.ReplyRead | undefined;
  readonly #process: ChildProcess;
  #pending: PromiseWithResolvers<ReaderFinding> | undefined;
  #onProgress: OnProgress | undefined;
  #report: StatementReport | undefined;
  #killed = false;
  #seenAt = performance.now();

  /** @throws {QueryFailedError} when the operating system starts no process */
  constructor(path: string) {
    this.#process = startReader(path);
    this.#process.stdio[SIGN_OF_LIFE]?.on('data', () => {
      this.#seenAt = performance.now();
    });
    this.#process.on('message', (message: ReaderReply | ReaderProgress) => {
      if ('progress' in message) void this.#take(message.progress);
      else this.#settle(message);
    });
    this.#process.on('error', (error) => this.#fail('The reader process failed.', error));
    this.#process.on('exit', () => this.#fail('The reader process ended.'));
  }

  get alive(): boolean {
    return this.#process.connected && !this.#killed;
  }

  /** Busy readers run. Stopped ones do not, nor those that hang in the operating system. */
  get isRunning(): boolean {
    return this.alive && performance.now() - this.#seenAt < SILENCE_MS;
  }

  onLost(listener: () => void): void {
    this.#process.once('exit', listener);
  }

  destroy(): void {
    void this.kill();
  }

  /** @throws {QueryFailedError} for an ended process; what `onProgress` throws, which ends it */
  ask(message: ReaderMessage, onProgress?: OnProgress): Promise<ReaderFinding> {
    this.#onProgress = onProgress;
    return Tracing.followsStatements() ? this.#askTraced(message) : this.#ask(message);
  }

  /** Ends the process with its statement; resolves when it has ended. */
  async kill(): Promise<void> {
    this.#killed = true;
    const { pid } = this.#process;
    if (pid === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null)
      return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#process.once('exit', () => resolve());
    this.#process.kill('SIGKILL');
    await promise;
  }

  #ask(message: ReaderMessage): Promise<ReaderFinding> {
    const pending = Promise.withResolvers<ReaderFinding>();
    this.#pending = pending;
    this.#process.send(message, (error) => {
      if (error !== null) this.#fail('The reader process took no question.', error);
    });
    return pending.promise;
  }

  async #askTraced(message: ReaderMessage): Promise<ReaderFinding> {
    const sentAt = performance.now();
    try {
      return await this.#ask({ ...message, traced: true });
    } finally {
      if (this.#report !== undefined) publishReport(this.#report, sentAt);
      this.#report = undefined;
    }
  }

  async #take(progress: ListProgress | ReplySize): Promise<void> {
    try {
      if ('replyBytes' in progress) await this.replyRead?.add(progress.replyBytes);
      else await this.#onProgress?.(progress);
      // A process that has ended reports that itself.
      this.#process.send({ taken: true } satisfies ProgressTaken, () => undefined);
    } catch (error) {
      const pending = this.#pending;
      this.#pending = undefined;
      await this.kill();
      pending?.reject(error);
    }
  }

  #settle(reply: ReaderReply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#report = reply.report;
    if (reply.ok) pending?.resolve(reply);
    else pending?.reject(toQueryError(reply));
  }

  #fail(message: string, cause?: Error): void {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(new QueryFailedError('database_unavailable', message, { cause }));
  }
}

function startReader(path: string): ChildProcess {
  const { module, execArgv } = ownProgram(READER, ['--disable-warning=ExperimentalWarning']);
  const child = fork(module, [path], {
    serialization: 'advanced',
    execArgv,
    env: readerEnvironment(process.env),
    // The pipe carries its signs of life.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
  });
  if (child.pid !== undefined) return child;
  // Without file descriptors it has no pipes either; its unheard error would end this process.
  child.on('error', () => undefined);
  throw new QueryFailedError('database_unavailable', 'No reader process could be started.');
}

/** For SQLite's time zone and temporary folders, and Node's start. Others may hold secrets. */
const NAMES =
  'TZ SQLITE_TMPDIR TMPDIR TEMP TMP NODE_COMPILE_CACHE LD_LIBRARY_PATH SystemRoot'.split(' ');

/** In MiB; V8's default lets garbage grow to 192. Single executables read the environment, too. */
const NODE_OPTIONS = '--max-semi-space-size=4';

export function readerEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = NAMES.flatMap((name) =>
    environment[name] === undefined ? [] : [[name, environment[name]]],
  );
  return { ...Object.fromEntries(inherited), NODE_OPTIONS };
}
