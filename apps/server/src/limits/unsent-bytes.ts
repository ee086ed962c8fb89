/** How many bytes of replies may wait for their callers. */
export interface UnsentLimits {
  readonly perOwner: number;
  readonly inAll: number;
}

/** Which limit is reached. */
export type UnsentLimit = keyof UnsentLimits;

/**
 * Bytes of replies that the kernel has not taken yet, by whose they are. A reply counts in full
 * until its last byte is taken.
 */
export class UnsentBytes {
  readonly #limits: UnsentLimits;
  readonly #byOwner = new Map<string, number>();
  #total = 0;

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#total;
  }

  /**
   * The limit that allows no further reply of an owner; undefined where none is reached.
   */
  reached(owner: string): UnsentLimit | undefined {
    return this.#reachedWith(owner, 1);
  }

  /**
   * Counts a reply, unless it passes a limit, which is then returned. A reply by itself always
   * passes, however large.
   */
  add(owner: string, bytes: number): UnsentLimit | undefined {
    const reached = this.#reachedWith(owner, bytes);
    if (reached !== undefined) return reached;
    this.#byOwner.set(owner, this.#of(owner) + bytes);
    this.#total += bytes;
    return undefined;
  }

  /** Removes a reply that was added. */
  remove(owner: string, bytes: number): void {
    const left = this.#of(owner) - bytes;
    if (left > 0) this.#byOwner.set(owner, left);
    else this.#byOwner.delete(owner);
    this.#total -= bytes;
  }

  #reachedWith(owner: string, bytes: number): UnsentLimit | undefined {
    const { perOwner, inAll } = this.#limits;
    if (this.#of(owner) > 0 && this.#of(owner) + bytes > perOwner) return 'perOwner';
    return this.#total > 0 && this.#total + bytes > inAll ? 'inAll' : undefined;
  }

  #of(owner: string): number {
    return this.#byOwner.get(owner) ?? 0;
  }
}
