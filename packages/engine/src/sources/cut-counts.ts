/** How states of several servers were looked for. */
export interface CutCounts {
  /** Without keeping anybody from writing. */
  readonly validated: CutCount;
  /** While transactions of several servers were held. */
  readonly locked: CutCount;
}

/** How often a read looked for a state of several servers. */
export interface CutCount {
  readonly found: number;
  /** So often there was none. */
  readonly missed: number;
}
