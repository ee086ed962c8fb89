/** A total at one data version. */
export interface KeptTotal {
  readonly total: bigint;
  readonly version: string;
  /** Whose request found it. */
  readonly foundFor?: string | undefined;
}

export interface FoundTotal {
  readonly total: bigint | undefined;
  readonly version: string | undefined;
  readonly foundFor?: string | undefined;
}
