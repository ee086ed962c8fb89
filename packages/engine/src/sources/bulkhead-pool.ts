import { ActiveCallers } from './active-callers.ts';
import { ConnectionPool, type PooledConnection, type PoolLimits } from './connection-pool.ts';
import type { ReadCall } from './source.ts';
import { SLOW_MS, StatementCosts } from './statement-costs.ts';

/** Slow statements have so much of a pool's connections, beside those of the quick ones. */
const SLOW_PART = 1 / 5;

/** A slow statement has to wait for others that are slow. */
const SLOW_WAIT_MS = 10_000;

/** What is asked of a pool for a statement. */
export type Wanted = Pick<ReadCall, 'signal' | 'callers' | 'shape'>;

interface Lease<Connection extends PooledConnection> {
  readonly pool: ConnectionPool<Connection>;
  /** Notes how long the connection was held. */
  readonly end: () => void;
}

/**
 * Connections of which slow statements have a few of their own, so that quick ones never wait
 * behind them.
 */
export class LanedPool<Connection extends PooledConnection> {
  readonly #quick: ConnectionPool<Connection>;
  readonly #slow: ConnectionPool<Connection>;
  readonly #costs = new StatementCosts();
  readonly #leases = new Map<Connection, Lease<Connection>>();

  /**
   * @param connect rejects with a {@link QueryFailedError} when the database takes no connection
   */
  constructor(connect: () => Promise<Connection>, limits: PoolLimits) {
    const connections = Math.max(1, Math.floor(limits.connections * SLOW_PART));
    const active = new ActiveCallers();
    this.#quick = new ConnectionPool(connect, limits, active);
    this.#slow = new ConnectionPool(
      connect,
      { ...limits, connections, kept: 0, maxWaitMs: SLOW_WAIT_MS },
      active,
    );
  }

  /**
   * @throws {QueryFailedError} `overloaded`, `cancelled`, `query_timeout`, `database_unavailable`
   * or `shutting_down`.
   */
  async acquire(wanted: Wanted): Promise<Connection> {
    if (!this.#costs.isSlow(wanted.shape)) {
      const connection = await this.#quick.acquire(wanted);
      // It may have turned out to be slow meanwhile.
      if (!this.#costs.isSlow(wanted.shape))
        return this.#lease(connection, this.#quick, wanted.shape);
      this.#quick.release(connection);
    }
    return this.#lease(await this.#slow.acquire(wanted), this.#slow, wanted.shape);
  }

  release(connection: Connection): void {
    const lease = this.#leases.get(connection);
    this.#leases.delete(connection);
    lease?.end();
    lease?.pool.release(connection);
  }

  /**
   * Drops idle connections: when one was lost, the others may be lost too without anybody knowing
   * yet.
   */
  forgetIdle(): void {
    for (const pool of [this.#quick, this.#slow]) pool.forgetIdle();
  }

  /** Takes no more queries and drops idle connections; those that work may still be released. */
  retire(): void {
    for (const pool of [this.#quick, this.#slow]) pool.retire();
  }

  /** Ends every connection at once. */
  close(): void {
    for (const pool of [this.#quick, this.#slow]) pool.close();
  }

  #lease(
    connection: Connection,
    pool: ConnectionPool<Connection>,
    shape: string | undefined,
  ): Connection {
    const end = shape === undefined ? (): void => undefined : this.#watch(shape);
    this.#leases.set(connection, { pool, end });
    return connection;
  }

  /**
   * A statement is known to be slow while it still runs, so that no more of its shape follow it.
   */
  #watch(shape: string): () => void {
    let slow = false;
    const timer = setTimeout(() => {
      slow = true;
      this.#costs.record(shape, true);
    }, SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (!slow) this.#costs.record(shape, false);
    };
  }
}
