import { Tally } from '@proj/fastify/host';

/** Bytes of replies that may wait for their callers. */
export interface UnsentLimits {
  readonly perOwner: number;
  readonly inAll: number;
}

export type UnsentLimit = keyof UnsentLimits;

/** Not taken by the kernel yet, by owner. A reply counts in full until its last byte is taken. */
export class UnsentBytes {
  readonly #limits: UnsentLimits;
  readonly #tally = new Tally();

  constructor(limits: UnsentLimits) {
    this.#limits = limits;
  }

  get total(): number {
    return this.#tally.total;
  }

  /** The limit that stops further replies of an owner, if any. */
  reached(owner: string): UnsentLimit | undefined {
    return this.#reachedWith(owner, 1);
  }

  /** Returns the limit that a reply passes, without counting it. A single reply may be any size. */
  add(owner: string, bytes: number): UnsentLimit | undefined {
    const reached = this.#reachedWith(owner, bytes);
    if (reached !== undefined) return reached;
    this.#tally.add(owner, bytes);
    return undefined;
  }

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
