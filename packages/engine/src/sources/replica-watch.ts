export type ReplicaFault =
  | 'starting'
  | 'unreachable'
  | 'lagging'
  | 'not_a_replica'
  | 'other_cluster'
  | 'other_timeline'
  | 'ahead'
  | 'unsuitable';

export interface ReplicaProblem {
  readonly fault: ReplicaFault;
  readonly message: string;
}

export interface ReplicaStatus {
  /** Host and port, without the secrets of its URL. */
  readonly name: string;
  readonly problem: ReplicaProblem | undefined;
  /** In seconds at most; infinity where not known. */
  readonly lagSeconds: number;
  /** Reads it answered; this and the counts below are since the service began. */
  readonly reads: number;
  /** Reads that it failed and the primary answered. */
  readonly failedReads: number;
}

export interface ReplicaReads {
  readonly cheap: number;
  /** Answered by the primary, as it is unknown what their callers have seen. */
  readonly unknown: number;
  /** Answered by the primary without a usable replica. */
  readonly noReplica: number;
  /** Answered by the primary, as no replica caught up in time. */
  readonly behind: number;
  /** Answered by the primary, as a replica had shown what the primary did not show yet. */
  readonly ahead: number;
  readonly waits: number;
  readonly waitSeconds: number;
}

export interface ReplicaWatch {
  readonly replicas: readonly ReplicaStatus[];
  readonly reads: ReplicaReads;
  /** Calls back when reads begin or cease to go to a replica. */
  onChange(listener: (status: ReplicaStatus) => void): void;
  /** Covers all a caller may have been shown here; undefined before earlier reads are known. */
  seenBy(caller: string): string | undefined;
}

export interface ReplicaReport extends ReplicaStatus {
  /** Models that differ or are missing there, and how. */
  readonly models: readonly { readonly model: string; readonly reason: string }[];
}
