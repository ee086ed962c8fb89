/** Whether the process is about to stop. */
export class Lifecycle {
  readonly #onDraining: (() => void)[] = [];
  readonly #onClosing: (() => void)[] = [];
  #isDraining = false;
  #isClosing = false;

  /** The process is not ready, and still answers. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    for (const listener of this.#onDraining) listener();
  }

  /** Runs when the process is no longer ready. */
  onDraining(listener: () => void): void {
    this.#onDraining.push(listener);
  }

  /** Runs when long replies must end, so that nobody waits for them. */
  onClosing(listener: () => void): void {
    this.#onClosing.push(listener);
  }

  /** Ends long replies; precedes closing connections. */
  beginClosing(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.drain();
    for (const listener of this.#onClosing) listener();
  }
}
