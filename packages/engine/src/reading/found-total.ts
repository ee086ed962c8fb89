/** A total, and the version of the data that has it. */
export interface KeptTotal {
  readonly total: bigint;
  readonly version: string;
  /** Whose request has found it. */
  readonly foundFor?: string | undefined;
}

/** What a read has found that later reads can use. */
export interface FoundTotal {
  /** Undefined where the read did not find it. */
  readonly total: bigint | undefined;
  /** The version of the data that was read; undefined where it is unknown. */
  readonly version: string | undefined;
  /** As in {@link KeptTotal}. */
  readonly foundFor?: string | undefined;
}
