import { Readable } from 'node:stream';

/** A body whose texts are pushed into it, no faster than it is sent. */
export class TextStream extends Readable {
  #onRead: (() => void) | undefined;

  override _read(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  /** Adds bytes. Resolves when there is room for more. */
  add(bytes: Buffer): Promise<void> | undefined {
    if (bytes.length === 0 || this.push(bytes)) return undefined;
    return new Promise((resolve) => {
      this.#onRead = resolve;
    });
  }

  /** Ends the body: everything was added. */
  finish(): void {
    this.push(null);
  }
}
