import { waitOrAbort, withDeadline } from '../../deadline.ts';
import { QueryFailedError } from '../../errors.ts';
import type { ReplyMemory, ReplyRead } from '../../reply-memory.ts';
import { ActiveCallers, Shares } from './shares.ts';
import { Callers, NOBODY } from '../read-call.ts';
import { FairQueue } from './fair-queue.ts';
import type { ReadCall } from '../source.ts';

export interface PoolLimits {
  readonly connections: number;
  /** One opens at the start, so that it is quick, all once a query has ended. Default: none. */
  readonly minConnections?: number;
  /** Beyond these, the newest query of the largest caller is rejected as `overloaded`. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Whether a caller who is alone leaves one free, as they are held for long. Default: no. */
  readonly keepsOne?: boolean;
  /** Counts the replies read on these connections. Default: not counted. */
  readonly replyMemory?: ReplyMemory | undefined;
}

export interface PooledConnection {
  readonly alive: boolean;
  readonly broke?: boolean;
  readonly isSilent?: boolean;
  onLost(listener: () => void): void;
  destroy(): void;
  replyRead?: ReplyRead | undefined;
}

export type AcquireCall = Pick<ReadCall, 'signal' | 'callers'>;

/** Callers take turns for connections, which open when needed and stay open. */
export class ConnectionPool<Connection extends PooledConnection> {
  readonly #connect: () => Promise<Connection>;
  readonly #limits: PoolLimits;
  readonly #open = new Set<Connection>();
  readonly #waiters = new FairQueue<PromiseWithResolvers<Connection>>();
  readonly #shares: Shares<Connection>;
  readonly #active: ActiveCallers;
  #idle: Connection[] = [];
  #opening = 0;
  #closed = false;

  /** @param active the callers that share these connections, perhaps with other pools */
  constructor(
    connect: () => Promise<Connection>,
    limits: PoolLimits,
    active = new ActiveCallers(),
  ) {
    this.#connect = connect;
    this.#limits = limits;
    this.#shares = new Shares(limits, active);
    this.#active = active;
    this.#growTo(Math.min(1, limits.minConnections ?? 0));
  }

  /** @param since when the caller began to wait, perhaps for something else */
  async acquire(call: AcquireCall, since = performance.now()): Promise<Connection> {
    const { callers = new Callers(undefined), signal } = call;
    if (this.#closed) throw closedError();
    signal.throwIfAborted();
    for (const caller of callers) this.#active.see(caller);
    if (this.#waiters.size >= this.#limits.maxWaiting) this.#rejectNewestOfLargest(callers);
    return this.#acquireIdle(callers) ?? this.#wait(callers, signal, since);
  }

  release(connection: Connection): void {
    const worked = this.#shares.release(connection);
    if (this.#open.has(connection)) this.#idle.push(connection);
    this.#dispatch();
    // After the loss of an idle one the next may go the same way.
    if (worked && !this.#closed) this.#growTo(this.#limits.minConnections ?? 0);
  }

  /** Idle connections may be lost too when one was. */
  destroyIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.destroy();
  }

  /** Takes no more queries; busy connections may still be released. */
  drain(): void {
    this.#closed = true;
    for (const waiter of this.#waiters) {
      this.#waiters.delete(waiter);
      waiter.reject(closedError());
    }
    this.destroyIdle();
  }

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

  #wait(callers: Callers, signal: AbortSignal, since: number): Promise<Connection> {
    const waiter = Promise.withResolvers<Connection>();
    this.#waiters.add(waiter, callers);
    this.#dispatch();
    const giveUp = (): void => {
      this.#waiters.delete(waiter);
      // It may have got its connection at that very moment.
      waiter.promise.then(
        (connection) => this.release(connection),
        () => undefined,
      );
    };
    const timeoutMs = Math.max(0, since + this.#limits.maxWaitMs - performance.now());
    return withDeadline({ signal, timeoutMs, timeoutError: () => this.#timeoutError() }, (wait) =>
      waitOrAbort(waiter.promise, wait.signal, giveUp),
    );
  }

  /** Makes room in a full queue; throws where the largest caller is the one who asks. */
  #rejectNewestOfLargest(callers: Callers): void {
    const longest = this.#waiters.longest();
    const message = `${this.#limits.maxWaiting} queries wait for a connection already.`;
    const error = new QueryFailedError('overloaded', message);
    const own = Math.max(0, ...[...callers].map((caller) => this.#waiters.sizeOf(caller)));
    if (longest === undefined || own >= this.#waiters.sizeOf(longest.caller)) throw error;
    this.#waiters.delete(longest.item);
    longest.item.reject(error);
  }

  #timeoutError(): QueryFailedError {
    const { maxWaitMs } = this.#limits;
    if (this.#open.size > 0)
      return new QueryFailedError('overloaded', `No connection was free within ${maxWaitMs} ms.`);
    const message = 'No connection to the database could be opened in time.';
    return new QueryFailedError('database_unavailable', message);
  }

  #dispatch(): void {
    for (;;) {
      const connection = this.#takeIdle();
      if (connection === undefined) break;
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
    const connection = this.#idle.pop();
    if (connection === undefined || connection.alive) return connection;
    this.#open.delete(connection);
    connection.destroy();
    return this.#takeIdle();
  }

  async #openOne(): Promise<void> {
    this.#opening += 1;
    try {
      this.#add(await this.#connect());
    } catch (error) {
      this.#opening -= 1;
      // One gets the error where no other connection could serve it.
      if (this.#open.size > 0) return;
      const reason = error instanceof Error ? error : new Error(String(error));
      this.#waiters.take(() => true)?.item.reject(reason);
      this.#dispatch();
    }
  }

  #add(connection: Connection): void {
    this.#opening -= 1;
    this.#open.add(connection);
    connection.onLost(() => {
      this.#open.delete(connection);
      this.release(connection);
    });
    if (this.#closed) return connection.destroy();
    // Behind those that have worked: a process is not ready yet when it opens.
    this.#idle.unshift(connection);
    this.#dispatch();
  }
}

function closedError(): QueryFailedError {
  return new QueryFailedError('shutting_down', 'The source is closed.');
}
