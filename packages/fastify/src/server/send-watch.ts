import type { Socket } from 'node:net';

/** When a connection last took bytes, and how many in all. */
interface Progress {
  readonly taken: number;
  readonly since: number;
}

export class SendWatch {
  readonly #timeoutMs: number;
  readonly #progress = new Map<Socket, Progress>();

  /** @param timeoutMs how long a connection may take nothing while bytes wait for it */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  add(socket: Socket, now: number): void {
    this.#progress.set(socket, { taken: takenBytes(socket), since: now });
    socket.once('close', () => this.#progress.delete(socket));
  }

  /** @returns how many connections it closed, as stuck or as ended and not closed */
  check(now: number): number {
    let closed = 0;
    for (const [socket, { taken, since }] of this.#progress) {
      const takenNow = takenBytes(socket);
      if (takenNow !== taken || isIdle(socket))
        this.#progress.set(socket, { taken: takenNow, since: now });
      else if (now - since >= this.#timeoutMs) {
        socket.destroy();
        closed += 1;
      }
    }
    return closed;
  }
}

function isIdle({ writableLength, writableEnded }: Socket): boolean {
  return writableLength === 0 && !writableEnded;
}

/** Taken by the kernel. `socket.writableLength` only changes with whole writes (lib/net.js). */
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
