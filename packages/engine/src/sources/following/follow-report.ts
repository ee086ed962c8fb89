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
  /** Relations that are read without the feed, and why. */
  readonly unfollowed: readonly FollowGap[];
  readonly notes: readonly string[];
  /** Whether a relation is large enough to count slowly, on a server that can be followed. */
  readonly isWorthwhile: boolean;
}
