import { waitOrAbort, withDeadline } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { ReplyMemory, ReplyRead } from '../../reply-memory.ts';
import { ActiveCallers, Shares } from './shares.ts';
import { Callers, NOBODY } from '../callers.ts';
import { FairQueue } from './fair-queue.ts';
import type { ReadCall } from '../source.ts';

/** How many connections there are, and how many queries wait for one. */
export interface PoolLimits {
  readonly connections: number;
  /**
   * How many connections are opened at the start, and kept open when one is lost during a query.
   * Default: none.
   */
  readonly minConnections?: number;
  /**
   * Of queries beyond these, the newest of the caller that has the most is rejected as
   * `overloaded`.
   */
  readonly maxWaiting: number;
  /** How long a query waits for a connection, in milliseconds. */
  readonly maxWaitMs: number;
  /**
   * Whether a caller who is alone leaves a connection to others, since connections are held for
   * long. Default: no.
   */
  readonly keepsOne?: boolean;
  /** What replies take that are read on these connections. Default: it is not counted. */
  readonly replyMemory?: ReplyMemory | undefined;
}

/** What a pool needs of a connection. */
export interface PooledConnection {
  /** Whether it can take a query. */
  readonly alive: boolean;
  /** Whether it was lost without our doing. */
  readonly broke?: boolean;
  /** Runs once, when the connection is lost or destroyed. */
  onLost(listener: () => void): void;
  destroy(): void;
  /** What counts the bytes that arrive; undefined where nothing does. */
  replyRead?: ReplyRead | undefined;
}

/** A query that waits for a connection. */
interface Waiter<Connection> {
  resolve(connection: Connection): void;
  reject(error: Error): void;
}

/** For whom a connection is acquired, and until when. */
export type AcquireCall = Pick<ReadCall, 'signal' | 'callers'>;

/**
 * Connections for which callers wait in turns. They are opened when they are needed, and stay open.
 */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #connect: () => Promise<Connection>;
  readonly #limits: PoolLimits;
  readonly #open = new Set<Connection>();
  readonly #waiters = new FairQueue<Waiter<Connection>>();
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
    this.#shares = new Shares(limits, active);
    this.#active = active;
    this.#growTo(limits.minConnections ?? 0);
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * @throws {QueryFailedError} `overloaded`, `cancelled`, `query_timeout`, `database_unavailable`
   * or `shutting_down`.
   */
  async acquire({ callers = new Callers(undefined), signal }: AcquireCall): Promise<Connection> {
    if (this.#closed) throw closedError();
    signal.throwIfAborted();
    for (const caller of callers) this.#active.see(caller);
    if (this.#waiters.size >= this.#limits.maxWaiting) this.#rejectNewestOfLargest(callers);
    return this.#acquireIdle(callers) ?? this.#wait(callers, signal);
  }

  /** Hands the connection to the next waiter in turn, or leaves it idle. */
  release(connection: Connection): void {
    this.#shares.release(connection);
    if (this.#open.has(connection)) this.#idle.push(connection);
    this.#dispatch();
  }

  /** When one connection was lost, idle ones may be lost too without anybody knowing yet. */
  destroyIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /** Takes no more queries; connections that are at work may still be released. */
  drain(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      waiter.reject(closedError());
    }
    this.destroyIdle();
  }

  /** Ends every connection at once. */
  destroy(): void {
    this.drain();
    for (const connection of this.#open) connection.destroy();
  }

  #acquireIdle(callers: Callers): Connection | undefined {
    const [caller = NOBODY] = callers;
    if (this.#waiters.size > 0 || !this.#shares.mayHoldMore(caller)) return undefined;
    const connection = this.#takeIdle();
    if (connection !== undefined) this.#shares.hold(connection, caller);
    return connection;
  }

  #wait(callers: Callers, signal: AbortSignal): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const waiter = { resolve, reject };
    this.#waiters.add(waiter, callers);
    this.#dispatch();
    const giveUp = (): void => {
      this.#waiters.delete(waiter);
      // It may have got its connection at that very moment.
      promise.then(
        (connection) => this.release(connection),
        () => undefined,
      );
    };
    const timeoutMs = this.#limits.maxWaitMs;
    return withDeadline({ signal, timeoutMs, timeoutError: () => this.#timeoutError() }, (wait) =>
      waitOrAbort(promise, wait.signal, giveUp),
    );
  }

  /**
   * Makes room in a full queue: rejects the newest query of the caller that has the most in it.
   * Throws where that is the caller who asks.
   */
  #rejectNewestOfLargest(callers: Callers): void {
    const longest = this.#waiters.longest();
    const error = new QueryFailedError(
      'overloaded',
      `${this.#limits.maxWaiting} queries wait for a connection already.`,
    );
    const own = Math.max(0, ...[...callers].map((caller) => this.#waiters.sizeOf(caller)));
    if (longest === undefined || own >= this.#waiters.sizeOf(longest.caller)) throw error;
    this.#waiters.delete(longest.item);
    longest.item.reject(error);
  }

  #timeoutError(): QueryFailedError {
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

  /** Hands idle connections to waiters, and opens more where waiters remain. */
  #dispatch(): void {
    for (
      let connection = this.#takeIdle();
      connection !== undefined;
      connection = this.#takeIdle()
    ) {
      const next = this.#waiters.take((caller) => this.#shares.mayHoldMore(caller));
      if (next === undefined) {
        this.#idle.push(connection);
        break;
      }
      this.#shares.hold(connection, next.caller);
      next.item.resolve(connection);
    }
    this.#growTo(this.#open.size + this.#waiters.size);
    if (this.#closed) this.destroyIdle();
  }

  #growTo(connections: number): void {
    const wanted = Math.min(connections, this.#limits.connections) - this.#open.size;
    while (this.#opening < wanted) void this.#openOne();
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

  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      this.#add(await this.#connect());
    } catch (error) {
      this.#opening -= 1;
      this.#rejectOne(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #add(connection: Connection): void {
    this.#opening -= 1;
    this.#open.add(connection);
    connection.onLost(() => {
      this.#open.delete(connection);
      const worked = this.#shares.release(connection);
      this.#dispatch();
      // Only a connection that was lost while a query held it is replaced. After any other loss the
      // next one may be lost in the same way.
      if (worked && !this.#closed) this.#growTo(this.#limits.minConnections ?? 0);
    });
    if (this.#closed) connection.destroy();
    else this.release(connection);
  }

  /** Rejects one waiter after a failed attempt to connect, unless other connections are open. */
  #rejectOne(error: Error): void {
    if (this.#open.size > 0) return;
    this.#waiters.take(() => true)?.item.reject(error);
    this.#dispatch();
  }
}

function closedError(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
