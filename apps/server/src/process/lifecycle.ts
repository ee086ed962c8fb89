/** Whether the process is about to stop. */
export class Lifecycle {
  readonly #onClosing: (() => void)[] = [];
  #isDraining = false;
  #isClosing = false;

  /** Once it is: the process is not ready, and still answers. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    this.#isDraining = true;
  }

  /** Runs when replies that last are to end, so that nobody waits for them. */
  onClosing(listener: () => void): void {
    this.#onClosing.push(listener);
  }

  /** Ends what lasts; a process that closes its connections does so first. */
  beginClosing(): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.drain();
    for (const listener of this.#onClosing) listener();
  }
}
