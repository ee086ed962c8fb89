import type { Server, Socket } from 'node:net';

import { type Address, originOf, urlOf } from '../../listen.ts';
import { openListeners } from '../../listeners.ts';

/** So many connections wait for a worker; further ones are closed. */
const MAX_WAITING = 10_000;

/** A worker, as far as it takes connections. */
export interface ConnectionTaker {
  /** Whether it does not answer at the moment, and gets none. */
  readonly isSilent: () => boolean;
  /**
   * Resolves with whether it has taken the connection.
   *
   * @throws where it has ended and has not read from it
   */
  readonly take: (connection: Socket) => Promise<boolean>;
}

/**
 * Accepts the connections of the service and hands them to workers in turn. A worker gets the next
 * one when it has taken the one before. What none has taken waits here, also while none runs.
 */
export class ConnectionQueue {
  readonly #waiting: Socket[] = [];
  /** Those that have taken all that they were handed, in turn. */
  readonly #free = new Set<ConnectionTaker>();
  #listening: Promise<readonly Server[]> | undefined;

  /**
   * Listens, unless it does already.
   *
   * @returns where the service is reached
   * @throws what keeps the address from being listened on
   */
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

  /** Lets a worker take connections. */
  add(worker: ConnectionTaker): void {
    this.#free.add(worker);
    this.handOut();
  }

  remove(worker: ConnectionTaker): void {
    this.#free.delete(worker);
  }

  /** Hands what waits to the workers that answer. */
  handOut(): void {
    for (const worker of this.#free) {
      if (worker.isSilent()) continue;
      const connection = this.#waiting.shift();
      if (connection === undefined) return;
      this.#free.delete(worker);
      void this.#hand(connection, worker);
    }
  }

  /** Accepts no more connections. */
  async close(): Promise<void> {
    const servers = await this.#listening?.catch(() => []);
    this.#listening = undefined;
    for (const server of servers ?? []) server.close();
  }

  /** Closes what waits, when no worker is going to take it. */
  drop(): void {
    for (const connection of this.#waiting.splice(0)) connection.destroy();
  }

  #accept(connection: Socket): void {
    // A caller who has gone is noticed by the worker.
    connection.on('error', () => undefined);
    this.#waiting.push(connection);
    this.handOut();
  }

  async #hand(connection: Socket, worker: ConnectionTaker): Promise<void> {
    try {
      const isTaken = await worker.take(connection);
      if (isTaken) {
        connection.destroy();
        this.#free.add(worker);
      } else {
        this.#waiting.unshift(connection);
      }
    } catch {
      this.#waiting.unshift(connection);
    }
    this.handOut();
  }
}
