import { setTimeout as sleep } from 'node:timers/promises';

import {
  Deadlines,
  Pools,
  type ReadCall,
  RefusedConnectionError,
  SettingsError,
} from '@proj/engine/database';

import { Connection } from './connection/connection.ts';
import { toConnectError, toQueryError, isDenied, isLocked, isLost } from './connection/errors.ts';
import { KillChannel } from './connection/kill-channel.ts';
import { runStoppable, type Work } from './connection/running-work.ts';
import { SnapshotVersions } from './versions/snapshot-versions.ts';
import type { MysqlAddress } from './connection/url.ts';

/**
 * The longest pause before another attempt after a lock, in milliseconds. The pause is random, so
 * that two statements that failed on one lock do not try again at the same moment.
 */
const LONGEST_PAUSE_MS = 50;

/** What several pools of connections to one server share. */
interface Shared {
  readonly versions: SnapshotVersions;
  readonly channel: KillChannel;
}

/** The connections to one server, and the rules by which work is given to them. */
export class Database {
  /** The versions that reads on all connections to the server see. */
  readonly versions: SnapshotVersions;
  readonly #address: MysqlAddress;
  readonly #pool: Pools.BulkheadPool<Connection>;
  readonly #channel: KillChannel;

  private constructor(address: MysqlAddress, limits: Pools.PoolLimits, shared?: Shared) {
    this.versions = shared?.versions ?? new SnapshotVersions();
    this.#address = address;
    this.#pool = new Pools.BulkheadPool(() => this.#connect(), limits);
    this.#channel = shared?.channel ?? new KillChannel(() => Connection.open(address));
  }

  /**
   * @throws {SettingsError} when the server refuses the login or has no such database, or a proxy
   *   divides sessions
   * @throws {QueryFailedError} when the server does not answer
   */
  static async open(address: MysqlAddress, limits: Pools.PoolLimits): Promise<Database> {
    const database = new Database(address, limits);
    try {
      await database.#channel.open();
      return database;
    } catch (error) {
      await database.close();
      if (error instanceof SettingsError) throw error;
      if (!isDenied(error)) throw toConnectError(error);
      throw new RefusedConnectionError(
        `database: the server refuses the connection: ${error.message}.`,
      );
    }
  }

  /**
   * More connections to the same server, for statements that must not wait behind others. They are
   * opened when they are needed.
   */
  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#address, limits, { versions: this.versions, channel: this.#channel });
  }

  /**
   * Runs work that only reads, and once more when a lock or a lost connection was in its way.
   *
   * @throws {QueryFailedError} when the database gives no answer, in time or at all
   */
  async ask<Value>(work: Work<Value>, call: ReadCall): Promise<Value> {
    const mayRetry = async (error: unknown, attempts: number): Promise<boolean> => {
      if (attempts > 1) return false;
      if (isLost(error)) this.#pool.destroyIdle();
      else if (isLocked(error)) await sleep(Math.random() * LONGEST_PAUSE_MS);
      return isLost(error) || isLocked(error);
    };
    try {
      return await Pools.withRetry({ attempt: () => this.#attempt(work, call), mayRetry });
    } catch (error) {
      throw toQueryError(error);
    }
  }

  async close(): Promise<void> {
    this.#pool.destroy();
    this.#channel.close();
  }

  async #attempt<Value>(work: Work<Value>, call: ReadCall): Promise<Value> {
    const connection = await this.#pool.acquire(call);
    const limited: Work<Value> = async (current) => {
      await current.limitStatements(Deadlines.remainingMs(call));
      return work(current);
    };
    const { signal } = call;
    const { answer, free } = runStoppable(connection, limited, { signal, channel: this.#channel });
    void free.then(() => this.#pool.release(connection));
    return answer;
  }

  /** The pool hands its callers whatever error this throws. */
  async #connect(): Promise<Connection> {
    try {
      const connection = await Connection.open(this.#address);
      connection.onLost(() => {
        if (connection.broke) this.versions.connectionBroke();
      });
      return connection;
    } catch (error) {
      throw toConnectError(error);
    }
  }
}
