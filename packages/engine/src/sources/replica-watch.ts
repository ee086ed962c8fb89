/** Why no reads go to a replica at the moment. */
export type ReplicaFault =
  | 'starting'
  | 'unreachable'
  | 'lagging'
  | 'not_a_replica'
  | 'other_cluster'
  | 'other_timeline'
  | 'ahead'
  | 'unsuitable';

/** What is found wrong with a replica. */
export interface ReplicaProblem {
  readonly fault: ReplicaFault;
  /** What is wrong, in words for an operator. */
  readonly message: string;
}

/** What a replica is like at the moment. */
export interface ReplicaStatus {
  /** Host and port; never what is secret of its URL. */
  readonly name: string;
  /** Undefined while reads may go to it. */
  readonly problem: ReplicaProblem | undefined;
  /**
   * How far it is behind the primary at most, in seconds; infinity where that is not known.
   */
  readonly lagSeconds: number;
  /** Reads that it has answered; this and the counts below are since the service began. */
  readonly reads: number;
  /** Reads that it failed to answer, and that were read from the primary then. */
  readonly failedReads: number;
}

/** What became of the reads of callers that may be answered by a replica. */
export interface ReplicaReads {
  /** Those that the primary answered because they cost it little. */
  readonly cheap: number;
  /** Those that the primary answered because it is not known what their callers have seen. */
  readonly unknown: number;
  /** Those that the primary answered because no replica was usable. */
  readonly noReplica: number;
  /** Those that the primary answered because no replica had come far enough in time. */
  readonly behind: number;
  /**
   * Those that the primary answered because a replica had shown what the primary did not show yet.
   */
  readonly ahead: number;
  /** How often a read waited for a replica to come far enough. */
  readonly waits: number;
  /** How long these have waited together. */
  readonly waitSeconds: number;
}

/** Shows the replicas. */
export interface ReplicaWatch {
  readonly replicas: readonly ReplicaStatus[];
  readonly reads: ReplicaReads;
  /** Calls back when reads begin to go to a replica, and when they no longer do. */
  onChange(listener: (status: ReplicaStatus) => void): void;
  /**
   * A position that has everything which a caller may have been shown here; undefined before it is
   * known what was shown earlier.
   */
  seenBy(caller: string): string | undefined;
}

/** What is found of a replica when it is compared with the database. */
export interface ReplicaReport extends ReplicaStatus {
  /** Models that it lacks or shows otherwise, with what is missing. */
  readonly models: readonly { readonly model: string; readonly reason: string }[];
}
