import { Tally } from '@proj/fastify/host';

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
  readonly #tally = new Tally();

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#tally.total;
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
    this.#tally.add(owner, bytes);
    return undefined;
  }

  /** Removes a reply that was added. */
  remove(owner: string, bytes: number): void {
    this.#tally.add(owner, -bytes);
  }

  #reachedWith(owner: string, bytes: number): UnsentLimit | undefined {
    const { perOwner, inAll } = this.#limits;
    const [own, total] = [this.#tally.of(owner), this.#tally.total];
    if (own > 0 && own + bytes > perOwner) return 'perOwner';
    return total > 0 && total + bytes > inAll ? 'inAll' : undefined;
  }
}
