/** Whether the process is about to stop. */
export class Lifecycle {
  readonly #onClosing: (() => void)[] = [];
  #isDraining = false;
  #isClosing = false;

  /** The process is not ready, and still answers. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    this.#isDraining = true;
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
