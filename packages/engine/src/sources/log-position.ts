/**
 * Where a server is in the log of its cluster. A position is a text of the database's own:
 * `0/16B3748@1.mK3xQ0bT` on one, `0-1-4711` on another.
 */
export interface LogState {
  /**
   * Which process of which server answered, and whether it was a replica: equal only for one
   * process, from its start to its promotion.
   */
  readonly server: string;
  /** Which log its positions are of; positions of two logs are never compared. */
  readonly log: string;
  /** Whether it only applies what another server has written. */
  readonly isReplica: boolean;
  /** Every snapshot that is taken later holds everything up to here. */
  readonly applied: string;
  /**
   * No snapshot that was taken before holds anything beyond. Undefined where the server does not
   * know that of itself; then the position of its primary serves.
   */
  readonly seen: string | undefined;
  /** Which transactions are seen, in words of the database's own, where it says so. */
  readonly transactions?: string | undefined;
  /** What was on disk at that moment, on a server where commits may be seen before they are. */
  readonly flushed?: FlushedLog | undefined;
}

/** How far a log is on disk. */
export interface FlushedLog {
  readonly position: string;
  /** Whatever was seen so many milliseconds before is up to there. */
  readonly withinMs: number;
}

/** How the positions of a database are read and compared. */
export interface LogPositions {
  /** The positions that a text lists, with commas between them; undefined for any other text. */
  readonly parse: (text: string) => readonly string[] | undefined;
  /** Whether a server that is at a position has everything up to another one. */
  readonly covers: (reached: string, wanted: string) => boolean;
  /** A position that covers both. */
  readonly later: (one: string, other: string) => string;
  /**
   * As much of a wanted position as there is in the log of a server that is at `end`: a position
   * past the end of that log is the end. One of another log stays.
   */
  readonly upTo: (wanted: string, end: string) => string;
}
