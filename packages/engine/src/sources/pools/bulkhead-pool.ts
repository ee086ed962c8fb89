import { LRUCache } from 'lru-cache';

import type { ReplyMemory } from '../../reply-memory.ts';
import { ActiveCallers } from './shares.ts';
import { ConnectionPool, type PooledConnection, type PoolLimits } from './connection-pool.ts';
import { slowPartOf } from './pool-limits.ts';
import type { ReadCall } from '../source.ts';
import { WHOLE_RELATION } from '../read-call.ts';

/** In milliseconds: many times what a page takes with an index. */
export const SLOW_MS = 100;

/** Fewer slow runs in a row may be bad luck: a cold cache, a busy machine. */
export const SLOW_RUNS = 5;

const MOST_SHAPES = 10_000;

/** How long statements took lately, by shape: text without values, and depth in the list. */
export class StatementCosts {
  // With `max` it would take the memory of all at once.
  readonly #slowRuns = new LRUCache<string, number>({
    maxSize: MOST_SHAPES,
    sizeCalculation: () => 1,
  });

  isSlow(shape: string | undefined): boolean {
    if (shape === undefined || shape === WHOLE_RELATION) return shape !== undefined;
    return (this.#slowRuns.get(shape) ?? 0) >= SLOW_RUNS;
  }

  /** Begins a run and returns its end. A run counts as slow while it runs, so no more follow it. */
  measure(shape: string): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#record(shape, true);
    }, SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (!isSlow) this.#record(shape, false);
    };
  }

  #record(shape: string, slow: boolean): void {
    if (slow) this.#slowRuns.set(shape, (this.#slowRuns.get(shape) ?? 0) + 1);
    else this.#slowRuns.delete(shape);
  }
}

export type AcquireCall = Pick<ReadCall, 'signal' | 'callers' | 'shape' | 'waitedMs'>;

/** Slow statements apart: https://learn.microsoft.com/azure/architecture/patterns/bulkhead */
export class BulkheadPool<Connection extends PooledConnection> {
  readonly #quick: ConnectionPool<Connection>;
  readonly #slow: ConnectionPool<Connection>;
  readonly #costs = new StatementCosts();
  readonly #acquired = new Map<
    Connection,
    { readonly pool: ConnectionPool<Connection>; readonly end: () => void }
  >();
  readonly #replyMemory: ReplyMemory | undefined;

  constructor(connect: () => Promise<Connection>, limits: PoolLimits) {
    const connections = slowPartOf(limits.connections);
    const slow = { ...limits, connections, minConnections: 0 };
    const active = new ActiveCallers();
    this.#quick = new ConnectionPool(connect, limits, active);
    this.#slow = new ConnectionPool(connect, slow, active);
    this.#replyMemory = limits.replyMemory;
  }

  async acquire(call: AcquireCall): Promise<Connection> {
    const since = performance.now() - (call.waitedMs ?? 0);
    if (!this.#costs.isSlow(call.shape)) {
      const connection = await this.#quick.acquire(call, since);
      // Statements of the shape may have proved slow during the wait.
      if (!this.#costs.isSlow(call.shape)) return this.#note(connection, this.#quick, call.shape);
      this.#quick.release(connection);
    }
    return this.#note(await this.#slow.acquire(call, since), this.#slow, call.shape);
  }

  release(connection: Connection): void {
    const acquired = this.#acquired.get(connection);
    this.#acquired.delete(connection);
    acquired?.end();
    connection.replyRead?.end();
    connection.replyRead = undefined;
    acquired?.pool.release(connection);
  }

  destroyIdle(): void {
    for (const pool of [this.#quick, this.#slow]) pool.destroyIdle();
  }

  drain(): void {
    for (const pool of [this.#quick, this.#slow]) pool.drain();
  }

  destroy(): void {
    for (const pool of [this.#quick, this.#slow]) pool.destroy();
  }

  #note(connection: Connection, pool: ConnectionPool<Connection>, shape: string | undefined) {
    const end = shape === undefined ? (): void => undefined : this.#costs.measure(shape);
    this.#acquired.set(connection, { pool, end });
    connection.replyRead = this.#replyMemory?.begin();
    return connection;
  }
}
