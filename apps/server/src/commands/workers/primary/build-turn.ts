/** Lets one worker at a time build a page index. */
export class BuildTurn {
  #holder: number | undefined;

  /** Whether the worker may build now. */
  take(worker: number): boolean {
    if (this.#holder !== undefined) return false;
    this.#holder = worker;
    return true;
  }

  /** Ends the turn of a worker, if it has it. */
  end(worker: number): void {
    if (this.#holder === worker) this.#holder = undefined;
  }
}
