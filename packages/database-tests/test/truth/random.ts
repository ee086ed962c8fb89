/** A source of chance that one number decides; Marsaglia's xorshift of 32 bits. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // From zero it would give nothing but zeros.
    this.#state = (seed ^ 0x9e3779b9) | 0 || 1;
    for (let warming = 0; warming < 8; warming++) this.fraction();
  }

  /** At least 0 and less than 1. */
  fraction(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const drawn = items.map((item) => ({ item, place: this.fraction() }));
    return drawn.toSorted((one, other) => one.place - other.place).map(({ item }) => item);
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }
}
