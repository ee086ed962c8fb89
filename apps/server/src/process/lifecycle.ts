/** Whether the process is about to stop. */
export class Lifecycle {
  #isDraining = false;

  /** Once it is: the process is not ready, and still answers. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    this.#isDraining = true;
  }
}
