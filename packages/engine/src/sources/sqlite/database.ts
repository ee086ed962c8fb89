import { isTimeout, waitOrStop } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import { LanedPool } from '../laned-pool.ts';
import type { ReadCall } from '../source.ts';
import { ReaderConnection } from './connection.ts';
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
 * The query of a caller that has disconnected may be done in this time, which is cheaper than a new
 * process.
 */
const GRACE_AFTER_DISCONNECT_MS = 50;

/**
 * Reader processes, for which callers wait in turns. A question that takes too long costs its
 * reader, and a new one takes over.
 */
export class ReaderPool {
  readonly #pool: LanedPool<ReaderConnection>;
  readonly #readers = new Set<ReaderConnection>();
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
    const reader = await this.#pool.acquire(call);
    let message: ReaderMessage;
    try {
      call.signal.throwIfAborted();
      message = compose();
    } catch (error) {
      this.#pool.release(reader);
      throw error;
    }
    return this.#run(reader, message, call);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.close();
    await Promise.all([...this.#readers].map((reader) => reader.kill()));
  }

  async #run(
    reader: ReaderConnection,
    message: ReaderMessage,
    { signal }: ReadCall,
  ): Promise<unknown> {
    let timer: NodeJS.Timeout | undefined;
    const answer = reader.ask(message).finally(() => {
      clearTimeout(timer);
      this.#pool.release(reader);
    });
    const kill = (): void => void reader.kill();
    const stop = (): void => {
      if (isTimeout(signal.reason)) kill();
      else timer = setTimeout(kill, GRACE_AFTER_DISCONNECT_MS);
    };
    try {
      return await waitOrStop(answer, signal, stop);
    } catch (error) {
      // A reader that was ended on purpose says only that it ended.
      throw this.#closed && !signal.aborted ? closed() : error;
    }
  }

  #fork(path: string): ReaderConnection {
    const reader = new ReaderConnection(path);
    this.#readers.add(reader);
    reader.onLost(() => this.#readers.delete(reader));
    return reader;
  }
}

function closed(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
