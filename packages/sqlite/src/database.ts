import { Deadlines, Pools, QueryFailedError, type ReadCall } from '@proj/engine/database';

import { type OnProgress, ReaderConnection } from './connection.ts';
import type { ReaderFinding, ReaderMessage } from './connection/reader-protocol.ts';

/**
 * How long the query of a caller that has disconnected may go on before its process is killed, in
 * milliseconds: waiting for a query that is nearly done costs less than a new process.
 */
const GRACE_AFTER_DISCONNECT_MS = 50;

/**
 * The connections to one file: reader processes. A query that takes too long is ended by killing
 * its process, and a new process is started.
 */
export class Database {
  readonly #pool: Pools.BulkheadPool<ReaderConnection>;
  readonly #readers = new Set<ReaderConnection>();
  #closed = false;

  constructor(path: string, limits: Pools.PoolLimits) {
    // A process takes its time to start, so no caller waits for that.
    const { minConnections = limits.connections } = limits;
    this.#pool = new Pools.BulkheadPool(async () => this.#fork(path), {
      ...limits,
      minConnections,
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
   * @param onProgress takes what a reader finds before it is through
   * @throws {QueryFailedError} `overloaded`, `query_timeout`, `cancelled`, `database_unavailable`
   *   or `shutting_down`, and what `compose` throws.
   */
  async ask(
    compose: () => ReaderMessage,
    call: ReadCall,
    onProgress?: OnProgress,
  ): Promise<ReaderFinding> {
    const reader = await this.#pool.acquire(call);
    let message: ReaderMessage;
    try {
      call.signal.throwIfAborted();
      message = compose();
    } catch (error) {
      this.#pool.release(reader);
      throw error;
    }
    const answer = reader.ask(message, onProgress);
    return this.#run(reader, answer, call);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#pool.destroy();
    await Promise.all([...this.#readers].map((reader) => reader.kill()));
  }

  async #run(
    reader: ReaderConnection,
    asked: Promise<ReaderFinding>,
    { signal }: ReadCall,
  ): Promise<ReaderFinding> {
    let timer: NodeJS.Timeout | undefined;
    const answer = asked.finally(() => {
      clearTimeout(timer);
      this.#pool.release(reader);
    });
    const kill = (): void => void reader.kill();
    const stop = (): void => {
      if (Deadlines.isTimeout(signal.reason)) kill();
      else timer = setTimeout(kill, GRACE_AFTER_DISCONNECT_MS);
    };
    try {
      return await Deadlines.waitOrStop(answer, signal, stop);
    } catch (error) {
      // A process that was killed on purpose reports only that it ended, so the reason is taken
      // from here.
      throw this.#closed && !signal.aborted ? closedError() : error;
    }
  }

  #fork(path: string): ReaderConnection {
    const reader = new ReaderConnection(path);
    this.#readers.add(reader);
    reader.onLost(() => this.#readers.delete(reader));
    return reader;
  }
}

function closedError(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
