/** How reads of several servers looked for one common state. */
export interface CutCounts {
  readonly validated: CutCount;
  readonly locked: CutCount;
}

/** How often such a state was looked for, and how often none was found. */
export interface CutCount {
  readonly found: number;
  readonly missed: number;
}
