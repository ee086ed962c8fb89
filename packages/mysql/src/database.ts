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
import { SnapshotVersions } from './versions/snapshot-versions.ts';
import type { MysqlAddress } from './connection/url.ts';

/** A busy server may take a second to stop; a frozen one loses the connection. */
const GRACE_MS = 2000;

const FAILURES: Pools.Failures = {
  isLost,
  retry: (error, attempts) => {
    if (attempts > 1) return 'never';
    if (isLost(error)) return 'now';
    return isLocked(error) ? 'later' : 'never';
  },
  toQueryError,
};

export type Work<Value> = (connection: Connection) => Promise<Value>;

export class Database extends Pools.Server<Connection> {
  readonly versions: SnapshotVersions;
  readonly #address: MysqlAddress;
  readonly #channel: KillChannel;

  private constructor(address: MysqlAddress, limits: Pools.PoolLimits, other?: Database) {
    const { versions } = other ?? { versions: new SnapshotVersions() };
    const connect = (): Promise<Connection> =>
      Connection.open(address).catch((error: unknown) => {
        throw toConnectError(error);
      });
    super(connect, limits, versions);
    this.versions = versions;
    this.#address = address;
    this.#channel =
      other === undefined ? new KillChannel(() => Connection.open(address)) : other.#channel;
  }

  /** @throws {SettingsError} for a refused login, no database, or a proxy that divides sessions */
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

  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#address, limits, this);
  }

  /** Retries once after a lock or a lost connection. */
  ask<Value>(work: Work<Value>, call: ReadCall): Promise<Value> {
    const start = (connection: Connection): Pools.Run<Value> => {
      const limited: Work<Value> = async (current) => {
        await current.limitStatements(Deadlines.remainingMs(call));
        return work(current);
      };
      return runStoppable(connection, limited, { signal: call.signal, channel: this.#channel });
    };
    return this.run(start, call, FAILURES);
  }

  override async close(): Promise<void> {
    await super.close(0);
    this.#channel.close();
  }
}

/** A kill may come after a statement has ended. */
export function runStoppable<Value>(
  connection: Connection,
  work: Work<Value>,
  { signal, channel }: { readonly signal: AbortSignal; readonly channel: KillChannel },
): Pools.Run<Value> {
  const stop = (): Promise<boolean> => {
    connection.halt();
    return channel.kill(connection.threadId, GRACE_MS);
  };
  return Pools.runStoppable(connection, work(connection), { signal, stop, graceMs: GRACE_MS });
}
