/** The place of a server in its cluster's log, such as `0/16B3748@1.mK3xQ0bT` or `0-1-4711`. */
export interface LogState {
  /** One process of one server, from its start to its promotion. */
  readonly server: string;
  /** The log of its positions. Positions of two logs are never compared. */
  readonly log: string;
  /** Whether it only applies the writes of another server. */
  readonly isReplica: boolean;
  /** Snapshots taken after the answer see everything up to here. */
  readonly applied: string;
  /** Snapshots taken before the answer see nothing beyond. Default: the primary's position. */
  readonly seen: string | undefined;
  /** The transactions that a snapshot sees, in the database's own text. */
  readonly transactions?: string | undefined;
  /** For servers where a commit may be visible before it is on disk. */
  readonly flushed?: FlushedLog | undefined;
}

/** Everything visible so many milliseconds earlier is at or before the position. */
export type FlushedLog = Readonly<{ position: string; withinMs: number }>;

export interface LogPositions {
  /** Reads positions that are separated by commas; undefined for any other text. */
  readonly parse: (text: string) => readonly string[] | undefined;
  /** Whether a server at `reached` has everything up to `wanted`. */
  readonly covers: (reached: string, wanted: string) => boolean;
  /** A position that covers both. */
  readonly later: (one: string, other: string) => string;
  /** The smaller of `wanted` and the log's end; `wanted` itself where it is of another log. */
  readonly upTo: (wanted: string, end: string) => string;
}
