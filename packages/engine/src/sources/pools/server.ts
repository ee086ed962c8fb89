import { setTimeout as sleep } from 'node:timers/promises';

import { type Deadline, within, withDeadline, waitOrStop } from '../../deadline.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versions } from '../versions.ts';
import { BulkheadPool } from './bulkhead-pool.ts';
import type { PooledConnection, PoolLimits } from './connection-pool.ts';
import type { Connection } from './connection.ts';

export interface Run<Value> {
  /** Rejects as the database does, at the deadline, or when the caller disconnects. */
  readonly answer: Promise<Value>;
  /** Resolves when nothing on its way could stop the next statement of the connection. */
  readonly free: Promise<void>;
}

export interface Stopping {
  readonly signal: AbortSignal;
  /** Resolves with whether the server got it; if so it stops no later statement. */
  readonly stop: () => Promise<boolean>;
  /** A frozen server answers neither; it is given up after this. */
  readonly graceMs: number;
}

export function runStoppable<Value>(
  connection: Connection,
  working: Promise<Value>,
  { signal, stop, graceMs }: Stopping,
): Run<Value> {
  let stopping: Promise<void> | undefined;
  const ended = working.then(
    () => false,
    () => true,
  );
  const giveUp = (): void => {
    connection.isSilent = true;
    connection.destroy();
  };
  const stopNow = async (): Promise<void> => {
    const timer = setTimeout(giveUp, graceMs);
    if (!(await stop())) giveUp();
    await ended;
    clearTimeout(timer);
  };
  const settle = async (): Promise<void> => {
    const failed = await ended;
    await stopping;
    if (!connection.needsRollback(failed || stopping !== undefined)) return;
    if (!(await within(connection.rollBack(), graceMs, false))) giveUp();
  };
  const answer = waitOrStop(working, signal, () => {
    stopping = stopNow();
  });
  return { answer, free: settle() };
}

/** In milliseconds. Random, so that two statements that failed on one lock do not collide again. */
const LONGEST_PAUSE_MS = 50;

/** For reading the schema and pings. */
const HOUSEKEEPING = { timeoutMs: 10_000 };

/** A version that takes longer is worth less than a page. */
const VERSION_CHECK = { timeoutMs: 1000 };

const GRACE_PERIOD_MS = 1000;

export interface Failures {
  readonly isLost: (error: unknown) => boolean;
  readonly retry: (error: unknown, attempts: number) => 'now' | 'later' | 'never';
  readonly toQueryError: (error: unknown) => Error;
}

type Start<Pooled, Value> = (connection: Pooled) => Run<Value> | Promise<Run<Value>>;

/** The connections to one server; all work on them only reads. */
export abstract class Server<Pooled extends PooledConnection> {
  protected readonly connections = new Set<Pooled>();
  readonly #pool: BulkheadPool<Pooled>;
  readonly #busy = new Set<Promise<void>>();

  /** @param versions of reads that end where a connection breaks. Default: none */
  constructor(
    connect: () => Pooled | Promise<Pooled>,
    limits: PoolLimits,
    versions?: Pick<Versions, 'connectionBroke'>,
  ) {
    const open = async (): Promise<Pooled> => {
      const connection = await connect();
      this.connections.add(connection);
      connection.onLost(() => {
        this.connections.delete(connection);
        if (connection.broke === true) versions?.connectionBroke();
        if (connection.isSilent === true) this.#pool.destroyIdle();
      });
      return connection;
    };
    this.#pool = new BulkheadPool(open, limits);
  }

  async close(gracePeriodMs = GRACE_PERIOD_MS): Promise<void> {
    this.#pool.drain();
    await within(Promise.all(this.#busy), gracePeriodMs, undefined);
    this.#pool.destroy();
  }

  protected async run<Value>(
    start: Start<Pooled, Value>,
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

  protected async attempt<Value>(start: Start<Pooled, Value>, call: ReadCall): Promise<Value> {
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

/** Separate pools to one server, so nothing waits behind longer work. */
export class Lanes<Own extends { withOwnPool(limits: PoolLimits): Own; close(): Promise<void> }> {
  readonly pages: Own;
  /** Version checks do not wait behind pages, */
  readonly checks: Own;
  /** nor pages behind an index under construction, */
  readonly background: Own;
  /** nor behind a whole list. */
  readonly lists: Own;

  constructor(pages: Own, limits: PoolLimits, exports: PoolLimits) {
    this.pages = pages;
    this.checks = pages.withOwnPool({ ...limits, connections: 1 });
    this.background = pages.withOwnPool({ ...limits, connections: 1 });
    this.lists = pages.withOwnPool(exports);
  }

  of({ lane = 'pages' }: Pick<ReadCall, 'lane'>): Own {
    return this[lane];
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
