import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ClientConfig } from 'pg';

import { QueryFailedError, SettingsError } from '../../errors.ts';
import type { PoolLimits } from '../connection-pool.ts';
import { LanedPool } from '../laned-pool.ts';
import type { Patience } from '../source.ts';
import { Connection, type Row } from './connection.ts';
import { type FailureKind, failureKind, failureOf, isMovedSession } from './failure.ts';
import { type Question, runWork, type Work } from './running-query.ts';

/** Opening a connection takes so long at most, login included. */
const CONNECT_MS = 2000;

/** So long running queries may take to end when the source is closed. */
const FAREWELL_MS = 1000;

/** Two that met in a lock should not meet again at the same moment, so the pause before another try is random up to this. */
const LONGEST_PAUSE_MS = 50;

/** Failures that a second try may well not meet. */
const WORTH_ANOTHER_TRY: ReadonlySet<FailureKind> = new Set(['lost', 'conflict', 'stale_plan']);

/** Failures to connect that no later try will mend. */
const HOPELESS: ReadonlySet<FailureKind> = new Set(['denied', 'other']);

const HELLO: Question = { statement: { sql: 'select 1', parameters: [] }, named: false };

/** The connections to one server, and the rules by which statements are sent. Statements only read, so any of them may be tried again. */
export class Database {
  readonly #config: ClientConfig;
  readonly #pool: LanedPool<Connection>;
  /** How many connections broke, on all lanes. */
  readonly #breaks: { count: number };
  readonly #busy = new Set<Promise<void>>();
  /** False from the first sign of a pooler that moves our sessions between connections. */
  #keepsPlans = true;

  private constructor(config: ClientConfig, limits: PoolLimits, breaks = { count: 0 }) {
    this.#config = config;
    this.#breaks = breaks;
    this.#pool = new LanedPool(() => this.#connect(), limits);
  }

  /**
   * @throws {SettingsError} when the server refuses the login or has no such database
   * @throws {QueryFailedError} when the server does not answer
   */
  static async open(config: ClientConfig, limits: PoolLimits): Promise<Database> {
    const database = new Database(config, limits);
    try {
      await database.#attempt((ask) => ask(HELLO), { signal: undefined, timeoutMs: CONNECT_MS });
      return database;
    } catch (error) {
      database.#pool.close();
      const failure = failureOf(error);
      if (error instanceof QueryFailedError || !HOPELESS.has(failureKind(error))) throw failure;
      throw new SettingsError(`database: no connection can be made: ${failure.message.replace(/\.$/, '')}.`);
    }
  }

  /** More connections to the same server, for questions that must not wait behind others. They are opened when they are needed. */
  lane(limits: PoolLimits): Database {
    return new Database(this.#config, limits, this.#breaks);
  }

  /**
   * Gives the only row of a statement, trying once more where that promises something.
   *
   * @throws {QueryFailedError} when there is no answer, in time or at all
   */
  ask(question: Question, patience: Patience): Promise<Row> {
    return this.run((ask) => ask(question), patience);
  }

  /** Does work on one connection; otherwise as {@link ask}. */
  async run<Value>(work: Work<Value>, patience: Patience): Promise<Value> {
    const started = performance.now();
    let replan = false;
    try {
      return await this.#attempt(work, patience);
    } catch (error) {
      const kind = failureKind(error);
      if (!WORTH_ANOTHER_TRY.has(kind)) throw failureOf(error);
      replan = kind === 'stale_plan';
      if (kind === 'lost') this.#pool.forgetIdle();
      if (kind === 'conflict') await sleep(Math.random() * LONGEST_PAUSE_MS);
    }
    const timeoutMs = Math.max(1, patience.timeoutMs - (performance.now() - started));
    const again: Work<Value> = replan ? (ask) => work((question) => ask({ ...question, named: false })) : work;
    try {
      return await this.#attempt(again, { ...patience, timeoutMs });
    } catch (error) {
      throw failureOf(error);
    }
  }

  /**
   * A version that a read tells, as it can be compared with others. It is none when a connection broke meanwhile: a server that crashed may
   * give the numbers of transactions that it lost to others.
   */
  async versioned(read: () => Promise<string | null | undefined>): Promise<string | undefined> {
    const before = this.#breaks.count;
    const version = await read();
    return version === null || version === undefined || this.#breaks.count !== before ? undefined : `${before}/${version}`;
  }

  /** Lets running queries end for a short while. */
  async close(): Promise<void> {
    this.#pool.retire();
    const farewell = new AbortController();
    const late = sleep(FAREWELL_MS, undefined, { signal: farewell.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#busy), late]);
    farewell.abort();
    this.#pool.close();
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.#config, CONNECT_MS);
    connection.onLost(() => {
      if (connection.broke) this.#breaks.count += 1;
    });
    return connection;
  }

  async #attempt<Value>(work: Work<Value>, patience: Patience): Promise<Value> {
    const connection = await this.#pool.acquire(patience);
    const sent: Work<Value> = this.#keepsPlans ? work : (ask) => work((question) => ask({ ...question, named: false }));
    const { answer, finished } = runWork(connection, sent, patience);
    this.#busy.add(finished);
    void finished.finally(() => {
      this.#busy.delete(finished);
      this.#pool.release(connection);
    });
    try {
      return await answer;
    } catch (error) {
      if (isMovedSession(error)) this.#keepsPlans = false;
      throw error;
    }
  }
}
