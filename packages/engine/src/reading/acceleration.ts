/** What makes replies cheap. Each gives the exact reply, or passes the question on. */
export interface Acceleration {
  /** A page that is not full proves the total. Default: true. */
  readonly shortPageProof: boolean;
  /** A page beyond the middle is read from the end of the list. Default: true. */
  readonly readBackwards: boolean;
  /** A total is kept as long as the data is unchanged. Default: true. */
  readonly totalCache: boolean;
  /**
   * While the data is unchanged, keys all along a list lead to its deep pages. Needs `totalCache`.
   * Default: true.
   */
  readonly pageIndex: boolean;
  /**
   * A reply is sent again when a check that began after the request finds the data unchanged.
   * Default: true.
   */
  readonly replyCache: boolean;
  /**
   * Equal requests that wait share one read that begins after they arrived, and requests for pages
   * of one list share its count. Default: true.
   */
  readonly singleFlight: boolean;
  /**
   * From this distance to the nearer end of a list on, its pages get an index. Default: 1000
   * records.
   */
  readonly pageIndexMinOffset: number;
  /**
   * A filtered list is followed where counting it takes so many milliseconds at least. Default: 5.
   */
  readonly leastCountMs: number;
  /**
   * How long building one page index may take with its pauses, in milliseconds, before it is given
   * up for a while. Default: one minute.
   */
  readonly indexBuildMs: number;
  /**
   * Asks for the turn to build a page index; resolves with what ends it, or undefined where another
   * process has it. Default: there is no other.
   */
  readonly takeBuildTurn?: (() => Promise<(() => void) | undefined>) | undefined;
  /**
   * What all caches of the engine may take in memory together, in bytes, estimated. Default: 64
   * MiB.
   */
  readonly memoryBytes: number;
}

export const ACCELERATION: Acceleration = Object.freeze({
  shortPageProof: true,
  readBackwards: true,
  totalCache: true,
  pageIndex: true,
  replyCache: true,
  singleFlight: true,
  pageIndexMinOffset: 1000,
  leastCountMs: 5,
  indexBuildMs: 60_000,
  memoryBytes: 64 * 2 ** 20,
});
