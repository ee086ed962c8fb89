/** How a number is spread over many things. All are 0 where there is none. */
export interface Distribution {
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** By nearest rank: each figure is one of the values. */
export function distributionOf(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { median: rank(0.5), p95: rank(0.95), max: rank(1) };
}
