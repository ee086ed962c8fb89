import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';

/** Bytes that may wait; beyond, events are skipped until the caller reads. */
const MOST_WAITING = 1024;

/** An encoded event. All who watch a list share its bytes. */
export class EventBytes {
  readonly bytes: Buffer;
  #chunk: Buffer | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** As a chunk of a body (https://www.rfc-editor.org/rfc/rfc9112#name-chunked-transfer-coding). */
  get chunk(): Buffer {
    this.#chunk ??= Buffer.concat([
      Buffer.from(`${this.bytes.length.toString(16)}\r\n`),
      this.bytes,
      Buffer.from('\r\n'),
    ]);
    return this.#chunk;
  }
}

/** A body whose texts are pushed into it, no faster than it is sent. */
export class TextStream extends Readable {
  #onRead: (() => void) | undefined;

  override _read(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onRead?.();
    callback(error);
  }

  /** Resolves when there is room for more, or nobody reads any longer. */
  add(bytes: Uint8Array): Promise<void> | undefined {
    if (this.destroyed || bytes.length === 0 || this.push(bytes)) return undefined;
    return new Promise((resolve) => {
      this.#onRead = resolve;
    });
  }

  finish(): void {
    this.push(null);
  }
}

/** Writes each event in one write: Node's own way takes four, and twice the CPU time. */
export class EventStream extends TextStream {
  readonly #response: ServerResponse | undefined;
  /** Set once nothing has to be sent before events. */
  #connection: Socket | undefined;

  constructor(response: ServerResponse | undefined) {
    super({ highWaterMark: MOST_WAITING });
    this.#response = response;
  }

  /** Resolves when there is room for more, or nobody reads any longer. */
  send(event: EventBytes): Promise<void> | undefined {
    const connection = (this.#connection ??= this.#nextConnection());
    if (connection === undefined) return this.add(event.bytes);
    if (this.destroyed || !connection.writable) return undefined;
    return connection.write(event.chunk) ? undefined : room(connection);
  }

  /** Undefined where something has to be sent before, or the body is not in chunks. */
  #nextConnection(): Socket | undefined {
    const { socket, headersSent = false, chunkedEncoding } = this.#response ?? {};
    const isNext = headersSent && chunkedEncoding === true && this.readableLength === 0;
    return isNext && socket instanceof Socket ? socket : undefined;
  }
}

async function room(connection: Socket): Promise<void> {
  const leaving = new AbortController();
  const { signal } = leaving;
  await Promise.race([
    once(connection, 'drain', { signal }),
    once(connection, 'close', { signal }),
  ]).catch(() => undefined);
  leaving.abort();
}
