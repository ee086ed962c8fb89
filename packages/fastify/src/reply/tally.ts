/** Counts by owner; a count of zero takes no memory. */
export class Tally {
  readonly #byOwner = new Map<string, number>();
  #total = 0;

  /** Of all owners. */
  get total(): number {
    return this.#total;
  }

  of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }

  /** @returns takes it away again; call it once */
  add(owner: string, amount = 1): () => void {
    const now = this.of(owner) + amount;
    if (now > 0) this.#byOwner.set(owner, now);
    else this.#byOwner.delete(owner);
    this.#total += amount;
    return () => void this.add(owner, -amount);
  }

  entries(): Iterable<[owner: string, amount: number]> {
    return this.#byOwner;
  }
}
