import { QueryFailedError } from '../../errors.ts';
import type { Patience } from '../source.ts';
import { Reader } from './reader.ts';
import type { ReaderRequest } from './reader-protocol.ts';

/** How many processes read, and how many questions wait for one. */
export interface ReaderPoolLimits {
  readonly readers: number;
  /** Questions beyond these are refused as `overloaded`. */
  readonly maxWaiting: number;
  /** How long a question waits for a free reader, in milliseconds. */
  readonly maxWaitMs: number;
}

/** A caller that left may find its query done in this time, which is cheaper than a new process. */
const GRACE_AFTER_ABORT_MS = 50;

interface Waiting {
  start(reader: Reader): void;
  refuse(error: Error): void;
}

/** Reader processes that share one queue of questions. A question that takes too long costs its reader, and a new one takes over. */
export class ReaderPool {
  readonly #path: string;
  readonly #limits: ReaderPoolLimits;
  readonly #readers = new Set<Reader>();
  readonly #idle: Reader[] = [];
  readonly #waiting = new Set<Waiting>();
  /** Readers on their way out. */
  readonly #ending = new Set<Promise<void>>();
  #closed = false;

  constructor(path: string, limits: ReaderPoolLimits) {
    this.#path = path;
    this.#limits = limits;
    for (let count = 0; count < limits.readers; count++) this.#idle.push(this.#fork());
  }

  /**
   * @param onStart runs when a reader is free, right before it gets the question
   * @throws {QueryFailedError} `overloaded`, `query_timeout`, `cancelled`, `database_unavailable` or `shutting_down`.
   */
  async ask(request: ReaderRequest, patience: Patience, onStart?: () => void): Promise<unknown> {
    const reader = await this.#acquire(patience.signal);
    if (patience.signal?.aborted === true) {
      this.#release(reader);
      throw cancelled();
    }
    onStart?.();
    return this.#run(reader, request, patience);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.refuse(closed());
    await Promise.all([...[...this.#readers].map((reader) => reader.kill()), ...this.#ending]);
  }

  #run(reader: Reader, request: ReaderRequest, { signal, timeoutMs }: Patience): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let expired = false;
    const expire = (): void => {
      expired = true;
      void this.#replace(reader);
    };
    let timer = setTimeout(expire, timeoutMs);
    const leave = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.#replace(reader), GRACE_AFTER_ABORT_MS);
      reject(cancelled());
    };
    signal?.addEventListener('abort', leave, { once: true });
    reader
      .ask(request)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#release(reader);
      })
      .then(resolve, (error: unknown) => reject(this.#reason(error, expired ? timedOut(timeoutMs) : undefined)));
    return promise;
  }

  /** A reader that was ended on purpose says only that it ended. */
  #reason(error: unknown, expiry: QueryFailedError | undefined): unknown {
    return expiry ?? (this.#closed ? closed() : error);
  }

  #acquire(signal: AbortSignal | undefined): Promise<Reader> {
    if (this.#closed) throw closed();
    if (signal?.aborted === true) throw cancelled();
    const reader = this.#takeIdle();
    return reader === undefined ? this.#wait(signal) : Promise.resolve(reader);
  }

  #wait(signal: AbortSignal | undefined): Promise<Reader> {
    const { maxWaiting, maxWaitMs } = this.#limits;
    if (this.#waiting.size >= maxWaiting)
      throw new QueryFailedError('overloaded', `${maxWaiting} queries wait for a reader already.`);
    const { promise, resolve, reject } = Promise.withResolvers<Reader>();
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      this.#waiting.delete(waiting);
    };
    const waiting: Waiting = {
      start: (reader) => {
        settle();
        resolve(reader);
      },
      refuse: (error) => {
        settle();
        reject(error);
      },
    };
    const leave = (): void => waiting.refuse(cancelled());
    const timer = setTimeout(() => {
      waiting.refuse(new QueryFailedError('overloaded', `No reader was free within ${maxWaitMs} ms.`));
    }, maxWaitMs);
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    return promise;
  }

  #takeIdle(): Reader | undefined {
    for (let reader = this.#idle.pop(); reader !== undefined; reader = this.#idle.pop()) {
      if (reader.alive) return reader;
      this.#readers.delete(reader);
    }
    return this.#readers.size < this.#limits.readers ? this.#fork() : undefined;
  }

  /** Gives the reader to who waits longest, or lets it rest. */
  #release(reader: Reader): void {
    if (this.#closed || !this.#readers.has(reader)) return;
    this.#idle.push(reader);
    this.#serve();
  }

  #serve(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const reader = this.#takeIdle();
    if (reader !== undefined) next.start(reader);
  }

  /** Kills a reader that runs a statement nobody waits for any longer. */
  async #replace(reader: Reader): Promise<void> {
    this.#readers.delete(reader);
    const end = reader.kill();
    this.#ending.add(end);
    await end;
    this.#ending.delete(end);
    if (this.#closed || this.#readers.size >= this.#limits.readers) return;
    this.#idle.push(this.#fork());
    this.#serve();
  }

  #fork(): Reader {
    const reader = new Reader(this.#path);
    this.#readers.add(reader);
    return reader;
  }
}

function cancelled(): QueryFailedError {
  return new QueryFailedError('cancelled', 'The caller left.');
}

function timedOut(timeoutMs: number): QueryFailedError {
  return new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
}

function closed(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
