import { setTimeout as sleep } from 'node:timers/promises';

import { type Deadline, within, withDeadline } from '../../deadline.ts';
import { isBackground, type ReadKind } from '../read.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versions } from '../versions.ts';
import { BulkheadPool } from './bulkhead-pool.ts';
import type { PooledConnection, PoolLimits } from './connection-pool.ts';
import type { Run } from './stoppable.ts';

/**
 * The longest pause before another attempt after a lock, in milliseconds. The pause is random, so
 * that two statements that failed on one lock do not try again at the same moment.
 */
const LONGEST_PAUSE_MS = 50;

/** Reading the schema or answering a ping waits so long at most. */
const HOUSEKEEPING = { timeoutMs: 10_000 };

/** A version that takes longer is worth less than a page. */
const VERSION_CHECK = { timeoutMs: 1000 };

/** When connections are closed, running work has so long to end. */
const GRACE_PERIOD_MS = 1000;

/** What errors of the driver mean. */
export interface Failures {
  readonly isLost: (error: unknown) => boolean;
  /** When work is tried again. */
  readonly retry: (error: unknown, attempts: number) => 'now' | 'later' | 'never';
  /** The error by which a caller learns that work failed. */
  readonly toQueryError: (error: unknown) => Error;
}

/** Gives work to a connection. */
type Start<Connection, Value> = (connection: Connection) => Run<Value> | Promise<Run<Value>>;

/** The connections to one server, to which work is given that only reads. */
export abstract class Server<Connection extends PooledConnection> {
  protected readonly connections = new Set<Connection>();
  readonly #pool: BulkheadPool<Connection>;
  readonly #busy = new Set<Promise<void>>();

  /** @param versions those of reads that end where a connection breaks. Default: none */
  constructor(
    connect: () => Connection | Promise<Connection>,
    limits: PoolLimits,
    versions?: Pick<Versions, 'connectionBroke'>,
  ) {
    const open = async (): Promise<Connection> => {
      const connection = await connect();
      this.connections.add(connection);
      connection.onLost(() => {
        this.connections.delete(connection);
        if (connection.broke === true) versions?.connectionBroke();
      });
      return connection;
    };
    this.#pool = new BulkheadPool(open, limits);
  }

  /** Lets running work end for a short while. */
  async close(gracePeriodMs = GRACE_PERIOD_MS): Promise<void> {
    this.#pool.drain();
    await within(Promise.all(this.#busy), gracePeriodMs, undefined);
    this.#pool.destroy();
  }

  /**
   * Does work, and again as long as that may succeed.
   *
   * @throws {QueryFailedError} when there is no answer, in time or at all
   */
  protected async run<Value>(
    start: Start<Connection, Value>,
    call: ReadCall,
    { isLost, retry, toQueryError }: Failures,
  ): Promise<Value> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await this.attempt(start, call);
      } catch (error) {
        if (isLost(error)) this.#pool.destroyIdle();
        const again = retry(error, attempts);
        if (again === 'never') throw toQueryError(error);
        if (again === 'later') await sleep(Math.random() * LONGEST_PAUSE_MS);
      }
    }
  }

  protected async attempt<Value>(start: Start<Connection, Value>, call: ReadCall): Promise<Value> {
    const connection = await this.#pool.acquire(call);
    let run: Run<Value>;
    try {
      run = await start(connection);
    } catch (error) {
      this.#pool.release(connection);
      throw error;
    }
    const { answer, free } = run;
    this.#busy.add(free);
    void free.finally(() => {
      this.#busy.delete(free);
      this.#pool.release(connection);
    });
    return answer;
  }
}

/** What more connections to the same server can be had of, opened when they are needed. */
interface Lane<Own> {
  withOwnPool(limits: PoolLimits): Own;
  close(): Promise<void>;
}

/** Pools of connections to one server, so that nothing waits behind what takes longer. */
export class Lanes<Own extends Lane<Own>> {
  readonly pages: Own;
  /** Checks of the version must not wait behind pages. */
  readonly checks: Own;
  /** Pages must not wait behind an index that is being built. */
  readonly background: Own;
  /** Nor behind a whole list. */
  readonly lists: Own;

  constructor(pages: Own, limits: PoolLimits, exports: PoolLimits) {
    this.pages = pages;
    this.checks = pages.withOwnPool({ ...limits, connections: 1 });
    this.background = pages.withOwnPool({ ...limits, connections: 1 });
    this.lists = pages.withOwnPool(exports);
  }

  of(read: { readonly kind: ReadKind }): Own {
    return isBackground(read) ? this.background : this.pages;
  }

  keepHouse<Value>(work: (pages: Own, call: Deadline) => Promise<Value>): Promise<Value> {
    return withDeadline(HOUSEKEEPING, (call) => work(this.pages, call));
  }

  check<Value>(work: (checks: Own, call: Deadline) => Promise<Value>): Promise<Value> {
    return withDeadline(VERSION_CHECK, (call) => work(this.checks, call));
  }

  async close(): Promise<void> {
    const all = [this.pages, this.checks, this.background, this.lists];
    await Promise.all(all.map((lane) => lane.close()));
  }
}
