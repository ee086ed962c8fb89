import { QueryFailedError } from '../errors.ts';

/** How many connections there are, and how many queries wait for one. */
export interface PoolLimits {
  readonly connections: number;
  /** Queries beyond these are refused as `overloaded`. */
  readonly maxWaiting: number;
  /** How long a query waits for a connection, in milliseconds. */
  readonly maxWaitMs: number;
}

/** What a pool needs of a connection. */
export interface PooledConnection {
  /** Whether it can take a query. */
  readonly alive: boolean;
  /** Runs once, when the connection is lost or destroyed. */
  onLost(listener: () => void): void;
  destroy(): void;
}

interface Waiting<Connection> {
  start(connection: Connection): void;
  refuse(error: Error): void;
}

/** Connections that share one queue of queries. They are opened when they are needed, and stay. */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #connect: () => Promise<Connection>;
  readonly #limits: PoolLimits;
  readonly #open = new Set<Connection>();
  readonly #waiting = new Set<Waiting<Connection>>();
  #idle: Connection[] = [];
  #opening = 0;
  #closed = false;

  /** @param connect rejects with a {@link QueryFailedError} when the database takes no connection */
  constructor(connect: () => Promise<Connection>, limits: PoolLimits) {
    this.#connect = connect;
    this.#limits = limits;
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /** @throws {QueryFailedError} `overloaded`, `cancelled`, `database_unavailable` or `shutting_down`. */
  async acquire(signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#closed) throw closed();
    if (signal?.aborted === true) throw new QueryFailedError('cancelled', 'The caller left.');
    if (this.#waiting.size >= this.#limits.maxWaiting) {
      throw new QueryFailedError('overloaded', `${this.#limits.maxWaiting} queries wait for a connection already.`);
    }
    return this.#takeIdle() ?? this.#wait(signal);
  }

  /** Gives the connection to who waits longest, or lets it rest. */
  release(connection: Connection): void {
    if (this.#open.has(connection)) this.#idle.push(connection);
    this.#serve();
  }

  /** Drops the connections that rest: when one was lost, the others may be lost too without anybody knowing yet. */
  forgetIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /** Takes no more queries and drops the connections that rest; those that work may still be released. */
  retire(): void {
    this.#closed = true;
    for (const waiting of this.#waiting) waiting.refuse(closed());
    this.forgetIdle();
  }

  /** Ends every connection at once. */
  close(): void {
    this.retire();
    for (const connection of this.#open) connection.destroy();
  }

  #wait(signal: AbortSignal | undefined): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      this.#waiting.delete(waiting);
    };
    const waiting: Waiting<Connection> = {
      start: (connection) => {
        settle();
        resolve(connection);
      },
      refuse: (error) => {
        settle();
        reject(error);
      },
    };
    const leave = (): void => waiting.refuse(new QueryFailedError('cancelled', 'The caller left.'));
    const timer = setTimeout(() => waiting.refuse(this.#nothingFree()), this.#limits.maxWaitMs);
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(waiting);
    this.#serve();
    return promise;
  }

  #nothingFree(): QueryFailedError {
    return this.#open.size === 0
      ? new QueryFailedError('database_unavailable', 'No connection to the database could be opened in time.')
      : new QueryFailedError('overloaded', `No connection was free within ${this.#limits.maxWaitMs} ms.`);
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      const connection = this.#takeIdle();
      if (connection === undefined) break;
      waiting.start(connection);
    }
    const wanted = Math.min(this.#waiting.size, this.#limits.connections - this.#open.size);
    while (this.#opening < wanted) void this.#grow();
    if (this.#closed) this.forgetIdle();
  }

  #takeIdle(): Connection | undefined {
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.alive) return connection;
      connection.destroy();
    }
    return undefined;
  }

  async #grow(): Promise<void> {
    this.#opening += 1;
    try {
      this.#take(await this.#connect());
    } catch (error) {
      this.#opening -= 1;
      this.#refuseOne(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #take(connection: Connection): void {
    this.#opening -= 1;
    this.#open.add(connection);
    connection.onLost(() => {
      this.#open.delete(connection);
      this.#serve();
    });
    if (this.#closed) connection.destroy();
    else this.release(connection);
  }

  /** While other connections work, a failed attempt only means that the pool does not grow. */
  #refuseOne(error: Error): void {
    if (this.#open.size > 0) return;
    const [first] = this.#waiting;
    first?.refuse(error);
    this.#serve();
  }
}

function closed(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
