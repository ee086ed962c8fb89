import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Serves connections that the primary process has accepted. */
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

  /** @returns false where the connection is left to others */
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

  /** Takes no more, and resolves when in-flight requests are answered. */
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
