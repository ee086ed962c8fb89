import { Deadlines, Pools, QueryFailedError, type ReadCall } from '@proj/engine/database';

import { type OnProgress, ReaderConnection } from './connection.ts';
import type { ReaderFinding, ReaderMessage } from './connection/reader-protocol.ts';

/** In milliseconds. After a disconnect, a nearly finished query is cheaper than a new process. */
const GRACE_AFTER_DISCONNECT_MS = 50;

/** Reader processes of one file. An overlong query is ended by killing its process. */
export class Database extends Pools.Server<ReaderConnection> {
  readonly #path: string;
  #closed = false;

  constructor(path: string, limits: Pools.PoolLimits) {
    // Start early, so that no caller waits for a process.
    super(() => new ReaderConnection(path), { minConnections: limits.connections, ...limits });
    this.#path = path;
  }

  get isRunning(): boolean {
    return [...this.connections].some((reader) => reader.isRunning);
  }

  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#path, { ...limits, minConnections: 0 });
  }

  /** The time limit includes the wait for a free reader, for which `compose` makes the message. */
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
      // A killed process reports only its end, so the reason comes from here.
      if (!this.#closed || signal.aborted) throw error;
      throw new QueryFailedError('shutting_down', 'The source is closed.');
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
