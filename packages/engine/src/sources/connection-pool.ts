import { waitOrAbort, withDeadline } from '../deadline.ts';
import { QueryFailedError } from '../errors.ts';
import { ActiveCallers } from './active-callers.ts';
import { Callers, NOBODY } from './callers.ts';
import { FairQueue } from './fair-queue.ts';
import { Shares } from './shares.ts';
import type { ReadCall } from './source.ts';

/** How many connections there are, and how many queries wait for one. */
export interface PoolLimits {
  readonly connections: number;
  /** So many are opened from the start, and again when one is lost at work. Default: none. */
  readonly kept?: number;
  /**
   * Of queries beyond these, the newest of the caller that has the most is refused as `overloaded`.
   */
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

/** Who wants a connection, and until when. */
export type Wanting = Pick<ReadCall, 'signal' | 'callers'>;

/** Connections for which callers wait in turns. They are opened when they are needed, and stay. */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #connect: () => Promise<Connection>;
  readonly #limits: PoolLimits;
  readonly #open = new Set<Connection>();
  readonly #waiting = new FairQueue<Waiting<Connection>>();
  readonly #shares: Shares<Connection>;
  readonly #active: ActiveCallers;
  #idle: Connection[] = [];
  #opening = 0;
  #closed = false;

  /**
   * @param connect rejects with a {@link QueryFailedError} when the database takes no connection
   * @param active those who share these connections, and maybe those of other pools
   */
  constructor(
    connect: () => Promise<Connection>,
    limits: PoolLimits,
    active = new ActiveCallers(),
  ) {
    this.#connect = connect;
    this.#limits = limits;
    this.#shares = new Shares(limits.connections, active);
    this.#active = active;
    this.#growTo(limits.kept ?? 0);
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * @throws {QueryFailedError} `overloaded`, `cancelled`, `query_timeout`, `database_unavailable`
   * or `shutting_down`.
   */
  async acquire({ callers = new Callers(undefined), signal }: Wanting): Promise<Connection> {
    if (this.#closed) throw closed();
    signal.throwIfAborted();
    for (const caller of callers) this.#active.see(caller);
    if (this.#waiting.size >= this.#limits.maxWaiting) this.#makeRoom(callers);
    return this.#takeAtOnce(callers) ?? this.#wait(callers, signal);
  }

  /** Gives the connection to whose turn it is, or leaves it idle. */
  release(connection: Connection): void {
    this.#shares.giveBack(connection);
    if (this.#open.has(connection)) this.#idle.push(connection);
    this.#serve();
  }

  /**
   * Drops the connections that rest: when one was lost, the others may be lost too without anybody
   * knowing yet.
   */
  forgetIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /**
   * Takes no more queries and drops the connections that rest; those that work may still be
   * released.
   */
  retire(): void {
    this.#closed = true;
    for (const waiting of this.#waiting) {
      this.#waiting.delete(waiting);
      waiting.refuse(closed());
    }
    this.forgetIdle();
  }

  /** Ends every connection at once. */
  close(): void {
    this.retire();
    for (const connection of this.#open) connection.destroy();
  }

  #takeAtOnce(callers: Callers): Connection | undefined {
    const [caller = NOBODY] = callers;
    if (this.#waiting.size > 0 || !this.#shares.mayHoldMore(caller)) return undefined;
    const connection = this.#takeIdle();
    if (connection !== undefined) this.#shares.hold(connection, caller);
    return connection;
  }

  #wait(callers: Callers, signal: AbortSignal): Promise<Connection> {
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<Connection>();
    const waiting = { start, refuse };
    this.#waiting.add(waiting, callers);
    this.#serve();
    const giveUp = (): void => {
      this.#waiting.delete(waiting);
      // It may have got its connection at that very moment.
      promise.then(
        (connection) => this.release(connection),
        () => undefined,
      );
    };
    const timeoutError = (): Error => this.#nothingFree();
    return withDeadline({ signal, timeoutMs: this.#limits.maxWaitMs, timeoutError }, (deadline) =>
      waitOrAbort(promise, deadline.signal, giveUp),
    );
  }

  /** A full queue costs the caller that has filled it. */
  #makeRoom(callers: Callers): void {
    const longest = this.#waiting.longest();
    const error = new QueryFailedError(
      'overloaded',
      `${this.#limits.maxWaiting} queries wait for a connection already.`,
    );
    const own = Math.max(0, ...[...callers].map((caller) => this.#waiting.sizeOf(caller)));
    if (longest === undefined || own >= this.#waiting.sizeOf(longest.caller)) throw error;
    this.#waiting.delete(longest.item);
    longest.item.refuse(error);
  }

  #nothingFree(): QueryFailedError {
    return this.#open.size === 0
      ? new QueryFailedError(
          'database_unavailable',
          'No connection to the database could be opened in time.',
        )
      : new QueryFailedError(
          'overloaded',
          `No connection was free within ${this.#limits.maxWaitMs} ms.`,
        );
  }

  #serve(): void {
    for (
      let connection = this.#takeIdle();
      connection !== undefined;
      connection = this.#takeIdle()
    ) {
      const next = this.#waiting.take((caller) => this.#shares.mayHoldMore(caller));
      if (next === undefined) {
        this.#idle.push(connection);
        break;
      }
      this.#shares.hold(connection, next.caller);
      next.item.start(connection);
    }
    this.#growTo(this.#open.size + this.#waiting.size);
    if (this.#closed) this.forgetIdle();
  }

  #growTo(connections: number): void {
    const wanted = Math.min(connections, this.#limits.connections) - this.#open.size;
    while (this.#opening < wanted) void this.#grow();
  }

  #takeIdle(): Connection | undefined {
    for (
      let connection = this.#idle.pop();
      connection !== undefined;
      connection = this.#idle.pop()
    ) {
      if (connection.alive) return connection;
      this.#open.delete(connection);
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
      const worked = this.#shares.giveBack(connection);
      this.#serve();
      // One that is lost without having worked would be lost again.
      if (worked && !this.#closed) this.#growTo(this.#limits.kept ?? 0);
    });
    if (this.#closed) connection.destroy();
    else this.release(connection);
  }

  /** While other connections work, a failed attempt only means that the pool does not grow. */
  #refuseOne(error: Error): void {
    if (this.#open.size > 0) return;
    this.#waiting.take(() => true)?.item.refuse(error);
    this.#serve();
  }
}

function closed(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
