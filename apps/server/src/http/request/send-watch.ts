import type { Socket } from 'node:net';

/** When a connection last took something, and how much in all by then. */
interface Progress {
  readonly taken: number;
  readonly since: number;
}

/** Finds connections whose callers do not read. */
export class SendWatch {
  readonly timeoutMs: number;
  readonly #progress = new Map<Socket, Progress>();
  #closed = 0;

  /** @param timeoutMs how long a connection may take nothing while bytes wait for it */
  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs;
  }

  /** How many connections were closed so far. */
  get closed(): number {
    return this.#closed;
  }

  add(socket: Socket, now: number): void {
    this.#progress.set(socket, { taken: takenBytes(socket), since: now });
    socket.once('close', () => this.#progress.delete(socket));
  }

  /**
   * Closes connections that have taken nothing since the time limit, and those that were ended and
   * not closed by then.
   *
   * @returns how many
   */
  check(now: number): number {
    let closed = 0;
    for (const [socket, { taken, since }] of this.#progress) {
      const takenNow = takenBytes(socket);
      if (takenNow !== taken || isIdle(socket))
        this.#progress.set(socket, { taken: takenNow, since: now });
      else if (now - since >= this.timeoutMs) {
        socket.destroy();
        closed += 1;
      }
    }
    this.#closed += closed;
    return closed;
  }
}

function isIdle({ writableLength, writableEnded }: Socket): boolean {
  return writableLength === 0 && !writableEnded;
}

/**
 * How many bytes the kernel has taken. `socket.writableLength` changes only when a whole write has
 * been taken, and a reply is one write. `writeQueueSize` is what Node's own idle timer uses
 * (lib/net.js, `_onTimeout`).
 */
function takenBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return countsWrites(handle) ? handle.bytesWritten - handle.writeQueueSize : 0;
}

function countsWrites(
  handle: unknown,
): handle is { readonly bytesWritten: number; readonly writeQueueSize: number } {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    'bytesWritten' in handle &&
    'writeQueueSize' in handle
  );
}
