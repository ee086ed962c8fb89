export interface Findings {
  /** What is wrong, with what to do about it. */
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}
