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
  /** Every snapshot that the server takes after its answer sees everything up to this position. */
  readonly applied: string;
  /**
   * No snapshot that the server took before its answer sees anything beyond this position.
   * Undefined where the server cannot tell; then the position of its primary is used.
   */
  readonly seen: string | undefined;
  /** The transactions that a snapshot sees, in the database's own text, where it reports them. */
  readonly transactions?: string | undefined;
  /**
   * How far the log was on disk, on a server where a commit may be visible before it is on disk.
   */
  readonly flushed?: FlushedLog | undefined;
}

/** How far a log is on disk. */
export interface FlushedLog {
  readonly position: string;
  /** Everything that was visible so many milliseconds earlier is at or before this position. */
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
   * The smaller one of a wanted position and the end of a server's log. A position of another log
   * is returned as it is.
   */
  readonly upTo: (wanted: string, end: string) => string;
}
