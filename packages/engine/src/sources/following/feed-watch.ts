export interface FeedStatus {
  readonly state: 'starting' | 'following' | 'stopped';
  /** Why it does not follow, as a word of the source; undefined while it does or begins to. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly lagBytes: number;
  readonly lagSeconds: number;
  /** Bytes of its log that the server keeps for it. */
  readonly heldBackBytes: number;
  readonly memoryBytes: number;
  readonly relations: number;
  /** Age of the base snapshot of filtered lists; 0 without one. */
  readonly snapshotSeconds: number;
  /** How many rows of a relation may differ from that snapshot, as last seen. */
  readonly snapshotRows: number;
  /** Transactions read. This and the counts below are since the service began. */
  readonly transactions: number;
  readonly waits: number;
  /** Waits given up: the read went on without the feed. */
  readonly lateWaits: number;
  readonly waitSeconds: number;
  /** How often the server was made to write out its log for waiting reads. */
  readonly nudges: number;
  readonly recounts: number;
  readonly drops: ReadonlyMap<string, number>;
}

export interface FeedWatch {
  readonly status: FeedStatus;
  /** Calls back when it begins to follow, ends, or cannot begin for a new reason. */
  onChange(listener: (status: FeedStatus) => void): void;
}

export interface FollowGap {
  readonly problem: string;
  readonly remedy: string;
  /** SQL in order, safe to run while the application works. */
  readonly statements: readonly string[];
}

/** What keeps changes from being followed, and notes for an operator. */
export interface FollowReport {
  /** With any of these, nothing is followed. */
  readonly missing: readonly FollowGap[];
  /** Problems of single tables: their writes are refused, or their changes held back. */
  readonly refused: readonly FollowGap[];
  readonly unfollowed: readonly FollowGap[];
  readonly notes: readonly string[];
  /** Whether a relation is large enough to count slowly, on a server that can be followed. */
  readonly isWorthwhile: boolean;
}
