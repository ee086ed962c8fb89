/** Maps positive values to places on a line, with powers of ten at equal distances. */
export interface LogScale {
  readonly at: (value: number) => number;
  /** The powers of ten that the line shows. */
  readonly ticks: readonly number[];
}

/** A scale from one place to another that holds all values. */
export function logScale(
  values: readonly number[],
  [from, to]: readonly [number, number],
): LogScale {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const lowest = Math.floor(Math.log10(positive.length === 0 ? 1 : Math.min(...positive)));
  const highest = Math.max(
    lowest + 1,
    Math.ceil(Math.log10(positive.length === 0 ? 1 : Math.max(...positive))),
  );
  return {
    at: (value) => from + ((Math.log10(value) - lowest) / (highest - lowest)) * (to - from),
    ticks: Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index)),
  };
}

/** `1,000` or `0.01`. */
export function tickLabel(tick: number): string {
  return tick >= 1 ? tick.toLocaleString('en-US') : String(Number(tick.toPrecision(1)));
}
