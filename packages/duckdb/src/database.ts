import { Pools, type ReadCall } from '@proj/engine/database';

import { Connection, toQueryError } from './connection.ts';
import type { Data } from './data.ts';
import { unavailable } from './files.ts';

/** How often files may change while they are read. */
const MOST_ATTEMPTS = 3;

export class Database extends Pools.Server<Connection> {
  readonly #data: Data;

  constructor(data: Data, limits: Pools.PoolLimits) {
    super(() => new Connection(), limits);
    this.#data = data;
  }

  withOwnPool(limits: Pools.PoolLimits): Database {
    return new Database(this.#data, limits);
  }

  /** The files are the same before and after, or the work begins anew. */
  async ask<Seen extends object>(
    work: (connection: Connection, version: string) => Promise<Seen>,
    call: Pick<ReadCall, 'signal' | 'deadline' | 'callers' | 'shape'>,
    attempts = MOST_ATTEMPTS,
  ): Promise<Seen & { readonly version: string }> {
    for (let attempt = 1; ; attempt++) {
      let before: string | undefined;
      const start = async (connection: Connection): Promise<Pools.Run<Seen>> => {
        const { version, instance } = await this.#data.current(call.signal);
        before = version;
        for (const other of this.connections) other.leave(instance);
        return connection.run(instance, () => work(connection, version), call.signal);
      };
      try {
        const seen = await this.attempt(start, call);
        if (before !== undefined && this.#data.held(before)) return { ...seen, version: before };
      } catch (error) {
        const isOfChange = before !== undefined && !this.#data.held(before);
        if (!isOfChange || call.signal.aborted) throw toQueryError(error);
      }
      if (attempt >= attempts) throw unavailable('The files changed while they were read.');
    }
  }
}
