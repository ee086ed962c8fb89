import type { Server, Socket } from 'node:net';

import { type Address, originOf, urlOf } from '../../listen.ts';
import { openListeners } from '../../listeners.ts';
import type { TakeConnection } from '../shared/protocol.ts';

/** Waiting connections; further ones are closed. */
const MAX_WAITING = 10_000;

export interface ConnectionTaker {
  /** A silent worker gets no connections. */
  readonly isSilent: () => boolean;
  readonly take: TakeConnection;
}

/** Hands connections to workers in turn, one at a time each. The rest wait here. */
export class ConnectionQueue {
  readonly #waiting: Socket[] = [];
  /** Those that have taken all that they were handed, in turn. */
  readonly #free = new Set<ConnectionTaker>();
  #listening: Promise<readonly Server[]> | undefined;

  /** @returns where the service is reached; throws what keeps the address from being listened on */
  async listen(address: Address): Promise<string> {
    this.#listening ??= openListeners(address, {
      // A worker reads from them.
      server: { pauseOnConnect: true, noDelay: true },
      maxConnections: MAX_WAITING,
      onConnection: (connection) => this.#accept(connection),
    });
    const [first] = await this.#listening;
    return first === undefined ? urlOf(address) : originOf(first);
  }

  add(worker: ConnectionTaker): void {
    this.#free.add(worker);
    this.handOut();
  }

  remove(worker: ConnectionTaker): void {
    this.#free.delete(worker);
  }

  handOut(): void {
    for (const worker of this.#free) {
      if (worker.isSilent()) continue;
      const connection = this.#waiting.shift();
      if (connection === undefined) return;
      this.#free.delete(worker);
      void this.#hand(connection, worker);
    }
  }

  async close(): Promise<void> {
    const servers = await this.#listening?.catch(() => []);
    this.#listening = undefined;
    for (const server of servers ?? []) server.close();
  }

  drop(): void {
    for (const connection of this.#waiting.splice(0)) connection.destroy();
  }

  #accept(connection: Socket): void {
    // The worker notices callers who leave.
    connection.on('error', () => undefined);
    this.#waiting.push(connection);
    this.handOut();
  }

  async #hand(connection: Socket, worker: ConnectionTaker): Promise<void> {
    try {
      const taken = await worker.take(connection);
      if (taken === true) connection.destroy();
      else this.#waiting.unshift(connection);
      if (taken !== false) this.#free.add(worker);
    } catch {
      this.#waiting.unshift(connection);
    }
    this.handOut();
  }
}
