/** Lets in many together or one alone, in the order in which they come. */
export class Gate {
  #inside = 0;
  #alone = false;
  readonly #waiting: { readonly alone: boolean; readonly enter: () => void }[] = [];

  /** Runs the work while others that go together may run, too. */
  together<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run(false, work);
  }

  /** Runs the work while nobody else is inside. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#run(true, work);
  }

  async #run<Result>(alone: boolean, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ alone, enter: resolve });
    this.#admit();
    await promise;
    try {
      return await work();
    } finally {
      this.#inside -= 1;
      this.#alone = false;
      this.#admit();
    }
  }

  #admit(): void {
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#alone || (next.alone && this.#inside > 0)) return;
      this.#waiting.shift();
      this.#inside += 1;
      this.#alone = next.alone;
      next.enter();
    }
  }
}
