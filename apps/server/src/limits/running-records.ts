/** The records that the queries which run in this process may return, by token. */
export class RunningRecords {
  readonly #running = new Map<string, number>();

  /** How many they are. */
  of(token: string): number {
    return this.#running.get(token) ?? 0;
  }

  /**
   * Adds those of a query.
   *
   * @returns takes them away; call it once
   */
  add(token: string, most: number): () => void {
    this.#change(token, most);
    return () => this.#change(token, -most);
  }

  #change(token: string, by: number): void {
    const running = this.of(token) + by;
    if (running > 0) this.#running.set(token, running);
    else this.#running.delete(token);
  }
}
