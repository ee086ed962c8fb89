import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { onReplyEnd } from '../endpoint/attached.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  underWay: number;
  last: Exchange | undefined;
  /** Bytes in all. */
  taken: number;
  /** When it last took some, or had none to take. */
  tookAt: number;
}

/** Pending requests of a connection; browsers, proxies and the SDK wait for each reply. */
const MOST_UNDER_WAY = 8;

/** Time to read what was already sent, in milliseconds. */
const READ_MS = 250;

export class OpenConnections {
  readonly #server: Server;
  readonly #open = new Map<Socket, Connection>();
  #isDraining = false;

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  /** Closes connections with more: Node reads all that arrive together before answering one. */
  admit(exchange: Exchange): boolean | 'too many' {
    const { request, response } = exchange;
    if (request.socket.destroyed) return false;
    const connection = this.#open.get(request.socket) ?? this.#add(request.socket);
    connection.last = exchange;
    connection.underWay += 1;
    onReplyEnd(response, () => void (connection.underWay -= 1));
    if (this.#isDraining) response.shouldKeepAlive = false;
    if (connection.underWay <= MOST_UNDER_WAY) return true;
    request.socket.destroy();
    return 'too many';
  }

  /** A kept connection would break under the next request. */
  drain(): void {
    this.#isDraining = true;
    for (const { last } of this.#open.values()) if (last) last.response.shouldKeepAlive = false;
  }

  /** Also closes those with an overdue request: Node no longer checks that. */
  closeUnused(): void {
    this.#closeAfter(READ_MS, isUnanswered);
    const isWhole = (last?: Exchange): boolean => isUnanswered(last) && last.request.complete;
    this.#closeAfter(this.#server.requestTimeout, isWhole);
  }

  /** Those that took nothing for this long, though bytes wait or they ended. @returns how many */
  closeStuck(timeoutMs: number, now = performance.now()): number {
    let closed = 0;
    for (const [socket, connection] of this.#open) {
      const taken = takenBytes(socket);
      const isIdle = socket.writableLength === 0 && !socket.writableEnded;
      // Of TLS nothing says what was taken.
      if (taken !== connection.taken || isIdle || 'encrypted' in socket)
        Object.assign(connection, { taken, tookAt: now });
      else if (now - connection.tookAt >= timeoutMs) {
        socket.destroy();
        closed += 1;
      }
    }
    return closed;
  }

  #add(socket: Socket): Connection {
    const [taken, tookAt] = [takenBytes(socket), performance.now()];
    const connection: Connection = { underWay: 0, last: undefined, taken, tookAt };
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    return connection;
  }

  #closeAfter(milliseconds: number, isKept: (last?: Exchange) => boolean): void {
    setTimeout(() => {
      for (const [socket, { last }] of this.#open) if (!isKept(last)) socket.destroy();
    }, milliseconds).unref();
  }
}

function isUnanswered(last?: Exchange): last is Exchange {
  return last?.response.writableFinished === false;
}

interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Taken by the kernel. `socket.writableLength` only changes with whole writes (lib/net.js). */
function takenBytes(socket: Socket): number {
  const handle = Reflect.get(socket, '_handle') as Partial<Handle> | null | undefined;
  return (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? 0);
}
