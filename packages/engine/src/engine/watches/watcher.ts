/**
 * Somebody who watches a list, and waits for what comes next. There is one listener for all waits:
 * thousands may watch, with many events a second.
 */
export class Watcher {
  readonly #signal: AbortSignal;
  /** Ends the wait that is going on. */
  #end: () => void = () => undefined;
  /** The same, if it is one for another state. */
  #wake: () => void = () => undefined;

  /** @param signal aborts when they leave, which ends all waits */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** Waits so many milliseconds. */
  pause(ms: number): Promise<void> {
    return this.#wait((end) => {
      const timer = setTimeout(end, ms).unref();
      this.#end = () => {
        clearTimeout(timer);
        end();
      };
    });
  }

  /** Waits until somebody calls {@link wake}. */
  untilWoken(): Promise<void> {
    return this.#wait((end) => {
      this.#end = end;
      this.#wake = end;
    });
  }

  wake(): void {
    this.#wake();
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#leave);
  }

  readonly #leave = (): void => this.#end();

  #wait(begin: (end: () => void) => void): Promise<void> {
    return this.#signal.aborted ? Promise.resolve() : new Promise(begin);
  }
}
