/** Each gives the exact reply, or passes the question on. */
export interface Acceleration {
  /** A page that is not full proves the total. Default: true. */
  readonly shortPageProof: boolean;
  /** Reads pages beyond the middle from the end of the list. Default: true. */
  readonly readBackwards: boolean;
  /** Keeps totals while the data is unchanged. Default: true. */
  readonly totalCache: boolean;
  /** Keys along an unchanged list lead to its deep pages. Needs `totalCache`. Default: true. */
  readonly pageIndex: boolean;
  /** Repeats a reply when a check begun after the request finds equal data. Default: true. */
  readonly replyCache: boolean;
  /** Equal requests share a read begun after they came, a list's pages a count. Default: true. */
  readonly singleFlight: boolean;
  /** Pages this far from both ends of their list get an index. Default: 1000 records. */
  readonly pageIndexMinOffset: number;
  /** Follows filtered lists that take at least this many milliseconds to count. Default: 5. */
  readonly leastCountMs: number;
  /** The most time for one index with its pauses, in milliseconds. Default: one minute. */
  readonly indexBuildMs: number;
  /** Resolves with what ends the turn to build an index; undefined if another process has it. */
  readonly takeBuildTurn?: (() => Promise<(() => void) | undefined>) | undefined;
  /** Estimated bytes of all caches together. Default: 64 MiB. */
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
