import { Readable } from 'node:stream';

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
