import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that the primary process has accepted, answered by the HTTP server of a worker. */
export class TakenConnections {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #allClosed = Promise.withResolvers<void>();
  #isClosing = false;

  constructor(server: Server) {
    this.#server = server;
    // Node watches the time limits of connections from this event on.
    server.emit('listening');
  }

  /**
   * Answers what comes through a connection.
   *
   * @returns false where it is left to others
   */
  take(connection: Socket | undefined): boolean {
    if (this.#isClosing) {
      connection?.destroy();
      return false;
    }
    if (connection === undefined) return true;
    this.#open.add(connection);
    connection.once('close', () => {
      this.#open.delete(connection);
      this.#settle();
    });
    this.#server.emit('connection', connection);
    return true;
  }

  /** Takes no more, and resolves when what is in flight is answered. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#server.closeIdleConnections();
    this.#settle();
    return this.#allClosed.promise;
  }

  #settle(): void {
    if (this.#isClosing && this.#open.size === 0) this.#allClosed.resolve();
  }
}
