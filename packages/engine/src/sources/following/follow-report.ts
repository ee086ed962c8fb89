/** Something that has to be done before changes are followed. */
export interface FollowGap {
  readonly problem: string;
  readonly remedy: string;
  /** SQL that can be run while the application works, in this order. */
  readonly statements: readonly string[];
}

/** What keeps the changes of a server from being followed, and what an operator should know. */
export interface FollowReport {
  /** As long as there is any of these, nothing is followed. */
  readonly missing: readonly FollowGap[];
  /** What is wrong with single tables: writes to them are refused, or changes are held back. */
  readonly refused: readonly FollowGap[];
  /** Why single relations are not followed. They are read as without the feed. */
  readonly unfollowed: readonly FollowGap[];
  /** What following means on this server. */
  readonly notes: readonly string[];
  /**
   * Whether it would be noticed: the server is one that can be followed, and a relation has rows
   * enough for its count to take its time.
   */
  readonly isWorthwhile: boolean;
}
