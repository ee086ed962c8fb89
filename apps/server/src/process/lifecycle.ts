/** Whether the process is about to stop. */
export class Lifecycle {
  readonly #draining = new AbortController();
  readonly #closing = new AbortController();

  /** The process is not ready, and still answers. */
  get isDraining(): boolean {
    return this.#draining.signal.aborted;
  }

  drain(): void {
    this.#draining.abort();
  }

  /** Runs when the process is no longer ready. */
  onDraining(listener: () => void): void {
    this.#draining.signal.addEventListener('abort', listener);
  }

  /** Runs when long replies must end, so that nobody waits for them. */
  onClosing(listener: () => void): void {
    this.#closing.signal.addEventListener('abort', listener);
  }

  /** Ends long replies; precedes closing connections. */
  beginClosing(): void {
    this.drain();
    this.#closing.abort();
  }
}
