/**
 * The ways in which a page is made cheap. Every one of them gives the exact reply, or gives way to
 * reading all.
 */
export interface Acceleration {
  /** A page that is not full proves the total. Default: true. */
  readonly shortPageProof: boolean;
  /** A page beyond the middle is read from the end of the list. Default: true. */
  readonly readBackwards: boolean;
  /** A total is kept as long as the data stands. Default: true. */
  readonly totalMemo: boolean;
  /**
   * While the data stands, keys all along a list lead to its deep pages. Needs `totalMemo`.
   * Default: true.
   */
  readonly pageIndex: boolean;
  /**
   * A reply is sent again when a check that began after the request finds the data unchanged.
   * Default: true.
   */
  readonly verifiedReplies: boolean;
  /** Equal requests that wait share one reading that begins after they arrived. Default: true. */
  readonly sharedReads: boolean;
  /**
   * From this distance to the nearer end of a list on, its pages get an index. Default: 1000
   * elements.
   */
  readonly pageIndexMinOffset: number;
  /**
   * How long building one page index may take, in milliseconds, before it is given up for a while.
   * Default: one minute.
   */
  readonly indexBuildMs: number;
  /**
   * What all caches of the engine may take in memory together, in bytes, estimated. Default: 64
   * MiB.
   */
  readonly memoryBytes: number;
}

export const ACCELERATION: Acceleration = Object.freeze({
  shortPageProof: true,
  readBackwards: true,
  totalMemo: true,
  pageIndex: true,
  verifiedReplies: true,
  sharedReads: true,
  pageIndexMinOffset: 1000,
  indexBuildMs: 60_000,
  memoryBytes: 64 * 2 ** 20,
});

/** How often a mechanism served. */
export interface MechanismStatistics {
  readonly mechanism: string;
  /** Requests that it made cheap. */
  readonly hits: number;
  /** Requests that it was tried for, and that had to be read otherwise. */
  readonly misses: number;
  /** What it keeps in memory, estimated. */
  readonly bytes: number;
}

/** Counts the hits and misses of one mechanism. */
export class HitCounter {
  readonly #mechanism: string;
  readonly #bytes: () => number;
  #hits = 0;
  #misses = 0;

  constructor(mechanism: string, bytes: () => number = () => 0) {
    this.#mechanism = mechanism;
    this.#bytes = bytes;
  }

  /** Counts one request. Gives the same answer back. */
  count(hit: boolean): boolean {
    if (hit) this.#hits += 1;
    else this.#misses += 1;
    return hit;
  }

  get statistics(): MechanismStatistics {
    return {
      mechanism: this.#mechanism,
      hits: this.#hits,
      misses: this.#misses,
      bytes: this.#bytes(),
    };
  }
}
