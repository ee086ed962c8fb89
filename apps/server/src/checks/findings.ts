export interface Findings {
  readonly errors: readonly string[];
  readonly notes: readonly string[];
}
