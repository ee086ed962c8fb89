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
export class Database extends Pools.Server<ReaderConnection> {
  readonly #path: string;
  #closed = false;

  constructor(path: string, limits: Pools.PoolLimits) {
    // A process takes its time to start, so no caller waits for that.
    super(() => new ReaderConnection(path), { minConnections: limits.connections, ...limits });
    this.#path = path;
  }

  /** Whether any reader runs, be it busy or not. */
  get isRunning(): boolean {
    return [...this.connections].some((reader) => reader.isRunning);
  }

  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#path, { ...limits, minConnections: 0 });
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
    const { signal } = call;
    const start = (reader: ReaderConnection): Pools.Run<ReaderFinding> => {
      signal.throwIfAborted();
      return runOn(reader, reader.ask(compose(), onProgress), signal);
    };
    try {
      return await this.attempt(start, call);
    } catch (error) {
      // A process that was killed on purpose reports only that it ended, so the reason is taken
      // from here.
      throw this.#closed && !signal.aborted ? closedError() : error;
    }
  }

  override async close(): Promise<void> {
    this.#closed = true;
    await super.close(0);
    await Promise.all([...this.connections].map((reader) => reader.kill()));
  }
}

function runOn(
  reader: ReaderConnection,
  asked: Promise<ReaderFinding>,
  signal: AbortSignal,
): Pools.Run<ReaderFinding> {
  let timer: NodeJS.Timeout | undefined;
  const kill = (): void => void reader.kill();
  const answer = Deadlines.waitOrStop(asked, signal, () => {
    if (Deadlines.isTimeout(signal.reason)) kill();
    else timer = setTimeout(kill, GRACE_AFTER_DISCONNECT_MS);
  });
  const end = (): void => clearTimeout(timer);
  return { answer, free: asked.then(end, end) };
}

function closedError(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
