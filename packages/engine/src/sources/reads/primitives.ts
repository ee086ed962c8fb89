export interface Versioned {
  readonly version: string | undefined;
}

export function unversioned<Value extends object>(value: Value): Value & Versioned {
  return { ...value, version: undefined };
}

export interface RowRead extends Versioned {
  readonly cells: readonly unknown[] | undefined;
}

export interface RowsRead extends Versioned {
  /** A JSON array; undefined beyond `maxBytes`. */
  readonly json: string | undefined;
  readonly rows: number;
  readonly numbers?: readonly (bigint | null)[] | undefined;
  /** A log position that has everything read; absent where not asked for. */
  readonly position?: string | undefined;
  /** How many records the list has in the same state; absent if unknown. */
  readonly followedTotal?: bigint | undefined;
}

export interface SortEstimate {
  /** 0 with an index; infinity where the planner does not say. */
  readonly rows: number;
  /** In bytes. */
  readonly rowBytes: number;
  /** Bytes a sort may take before it uses files. */
  readonly memoryBytes: number;
  /** Whether the database bounds its sorts itself, and no writer waits for them. Default: no. */
  readonly isBounded?: boolean;
  /** Index conditions in the source's words; undefined where any column may be among them. */
  readonly conditions?: readonly string[] | undefined;
}
