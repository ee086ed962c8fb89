/** What following the changes of a server is like at the moment. */
export interface FeedStatus {
  readonly state: 'starting' | 'following' | 'stopped';
  /** Why it does not follow, in one word of the source's; undefined while it does or begins to. */
  readonly reason: string | undefined;
  /** The reason in words, for an operator. */
  readonly message: string | undefined;
  /** How far it is behind the server, in bytes of the change log. */
  readonly lagBytes: number;
  /** For how long it has been behind. */
  readonly lagSeconds: number;
  /** How much of its log the server keeps for it, in bytes. */
  readonly heldBackBytes: number;
  /** What the changes that are kept take in memory, in bytes, estimated. */
  readonly memoryBytes: number;
  /** How many relations are followed. */
  readonly relations: number;
  /** For how long the base snapshot of filtered lists has been held; 0 where there is none. */
  readonly snapshotSeconds: number;
  /** How many rows of a relation may differ from it, as of the last look. */
  readonly snapshotRows: number;
  /** How many transactions were read; this and all counts below are since the service began. */
  readonly transactions: number;
  /** How often a read waited for the feed. */
  readonly waits: number;
  /** How many of these were given up, so that the read went on without the feed. */
  readonly lateWaits: number;
  /** How long reads have waited together. */
  readonly waitSeconds: number;
  /** How often the server was made to write out its log for those that waited. */
  readonly nudges: number;
  /** How many filtered lists had to be counted again. */
  readonly recounts: number;
  /** How often following ended after it had begun, by reason. */
  readonly drops: ReadonlyMap<string, number>;
}

/** Shows what a change feed does. */
export interface FeedWatch {
  readonly status: FeedStatus;
  /** Calls back when it begins to follow, and when it ends or cannot begin for another reason. */
  onChange(listener: (status: FeedStatus) => void): void;
}
