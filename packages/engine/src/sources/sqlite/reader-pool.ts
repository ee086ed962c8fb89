import { cancelled, timedOut, waitOrAbort } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import { LanedPool } from '../laned-pool.ts';
import type { ReadCall } from '../source.ts';
import { Reader } from './reader.ts';
import type { ReaderMessage } from './reader-protocol.ts';

/** How many processes read, and how many questions wait for one. */
export interface ReaderPoolLimits {
  readonly readers: number;
  /** Questions beyond these are refused as `overloaded`. */
  readonly maxWaiting: number;
  /** How long a question waits for a free reader, in milliseconds. */
  readonly maxWaitMs: number;
}

/**
 * A process that was killed may take a moment to be gone, or hang in the operating system; no
 * caller waits longer for it, in milliseconds.
 */
const GRACE_AFTER_KILL_MS = 100;

/** A caller that left may find its query done in this time, which is cheaper than a new process. */
const GRACE_AFTER_ABORT_MS = 50;

type Started = ReadCall & { readonly startedAt: number };

/**
 * Reader processes, for which callers wait in turns. A question that takes too long costs its
 * reader, and a new one takes over.
 */
export class ReaderPool {
  readonly #pool: LanedPool<Reader>;
  readonly #readers = new Set<Reader>();
  #closed = false;

  constructor(path: string, { readers, ...limits }: ReaderPoolLimits) {
    // A process takes its time to start, so no caller waits for that.
    this.#pool = new LanedPool(async () => this.#fork(path), {
      ...limits,
      connections: readers,
      kept: readers,
    });
  }

  /** Whether any reader runs, be it busy or not. */
  get isRunning(): boolean {
    return [...this.#readers].some((reader) => reader.isRunning);
  }

  /**
   * The time limit includes the wait for a reader.
   *
   * @param compose called when a reader is free, right before it gets the message
   * @throws {QueryFailedError} `overloaded`, `query_timeout`, `cancelled`, `database_unavailable`
   *   or `shutting_down`, and what `compose` throws.
   */
  async ask(compose: () => ReaderMessage, call: ReadCall): Promise<unknown> {
    const started = performance.now();
    const acquiring = this.#pool.acquire(call);
    const reader = await waitOrAbort(acquiring, call, () => void this.#giveBack(acquiring));
    let message: ReaderMessage;
    try {
      if (call.signal?.aborted === true) throw cancelled();
      message = compose();
    } catch (error) {
      this.#pool.release(reader);
      throw error;
    }
    return this.#run(reader, message, { ...call, startedAt: started });
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.close();
    await Promise.all([...this.#readers].map((reader) => reader.kill()));
  }

  /** A reader that comes too late for the one who waited. */
  async #giveBack(acquiring: Promise<Reader>): Promise<void> {
    const reader = await acquiring.catch(() => undefined);
    if (reader !== undefined) this.#pool.release(reader);
  }

  #run(
    reader: Reader,
    message: ReaderMessage,
    { signal, timeoutMs, startedAt }: Started,
  ): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let expired = false;
    const expire = (): void => {
      expired = true;
      void reader.kill();
      timer = setTimeout(() => reject(timedOut(timeoutMs)), GRACE_AFTER_KILL_MS);
    };
    let timer = setTimeout(expire, Math.max(0, timeoutMs - (performance.now() - startedAt)));
    const leave = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void reader.kill(), GRACE_AFTER_ABORT_MS);
      reject(cancelled());
    };
    signal?.addEventListener('abort', leave, { once: true });
    reader
      .ask(message)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#pool.release(reader);
      })
      .then(resolve, (error: unknown) =>
        reject(this.#reason(error, expired ? timedOut(timeoutMs) : undefined)),
      );
    return promise;
  }

  /** A reader that was ended on purpose says only that it ended. */
  #reason(error: unknown, expiry: QueryFailedError | undefined): unknown {
    return expiry ?? (this.#closed ? closed() : error);
  }

  #fork(path: string): Reader {
    const reader = new Reader(path);
    this.#readers.add(reader);
    reader.onLost(() => this.#readers.delete(reader));
    return reader;
  }
}

function closed(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
