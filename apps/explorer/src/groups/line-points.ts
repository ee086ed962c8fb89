/** A point of a line: when, as milliseconds since 1970 or since midnight, and how much. */
export interface LinePoint {
  readonly at: number;
  readonly value: number;
}

/** A line within a picture, which is 1 wide and 1 high. */
export interface Line {
  /** Its corners from the left to the right, `x,y` each. */
  readonly points: string;
  /** The height of 0. */
  readonly zero: number;
}

/**
 * The line through these points, at the distances of their times: a gap in time is seen. It has
 * room for 0. Undefined where there are not two different times.
 */
export function lineThrough(points: readonly LinePoint[]): Line | undefined {
  const sorted = points.toSorted((a, b) => a.at - b.at);
  const [first, last] = [sorted[0]?.at ?? 0, sorted.at(-1)?.at ?? 0];
  if (first === last) return undefined;
  const values = sorted.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = (value: number): number => (high === low ? 1 : (high - value) / (high - low));
  const corners = sorted.map(({ at, value }) => `${(at - first) / (last - first)},${y(value)}`);
  return { points: corners.join(' '), zero: y(0) };
}
