import { Deadlines } from '@proj/engine/database';

import type { Connection } from './connection.ts';
import { isNoSuchThread } from './errors.ts';

const KEEP_ALIVE_MS = 30_000;
const KEEP_ALIVE_ANSWER_MS = 2000;
const REOPEN_MS = { first: 250, last: 10_000 };

/** Stops other statements. It stays open, since a full server would refuse a new connection. */
export class KillChannel {
  readonly #connect: () => Promise<Connection>;
  readonly #keepAlive: NodeJS.Timeout;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #reopening: NodeJS.Timeout | undefined;
  #delay = REOPEN_MS.first;
  #closed = false;

  constructor(connect: () => Promise<Connection>) {
    this.#connect = connect;
    this.#keepAlive = setInterval(() => void this.#check(), KEEP_ALIVE_MS).unref();
  }

  open(): Promise<Connection> {
    this.#opening ??= this.#connect()
      .then((connection) => this.#take(connection))
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  /** Stops the statement of a thread; resolves to whether the server confirmed it in time. */
  async kill(threadId: string, milliseconds: number): Promise<boolean> {
    const answer = await Deadlines.within(this.#kill(threadId), milliseconds, 'late');
    if (answer === 'late') this.#connection?.destroy();
    return answer === true;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#keepAlive);
    clearTimeout(this.#reopening);
    this.#connection?.destroy();
  }

  async #kill(threadId: string): Promise<boolean> {
    try {
      const connection = this.#connection ?? (await this.open());
      await connection.command(`kill query ${BigInt(threadId)}`);
      return true;
    } catch (error) {
      return isNoSuchThread(error);
    }
  }

  #take(connection: Connection): Connection {
    this.#delay = REOPEN_MS.first;
    this.#connection = connection;
    connection.onLost(() => {
      this.#connection = undefined;
      this.#reopenLater();
    });
    if (this.#closed) connection.destroy();
    return connection;
  }

  #reopenLater(): void {
    if (this.#closed) return;
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => {
      this.open().catch(() => this.#reopenLater());
    }, this.#delay).unref();
    this.#delay = Math.min(this.#delay * 2, REOPEN_MS.last);
  }

  async #check(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const answer = await Deadlines.within(connection.rollBack(), KEEP_ALIVE_ANSWER_MS, false);
    if (!answer) connection.destroy();
  }
}
