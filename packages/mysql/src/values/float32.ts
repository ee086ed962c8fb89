const SMALLEST_NORMAL = 2 ** -126;

/** The shortest double that reads back to the same 32-bit float: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  if (value === 0) return value;
  const size = Math.abs(value);
  // Six digits distinguish all such decimals, except below the normal range.
  const fewest = size < SMALLEST_NORMAL ? 1 : 6;
  // Below a power of two floats lie closer than above it, so the middle of what reads back is a
  // little larger.
  const middle = Number.isInteger(Math.log2(size)) ? value * (1 + 2 ** -26) : value;
  for (let digits = fewest; digits < 9; digits++) {
    const nearest = Number(value.toPrecision(digits));
    if (Math.fround(nearest) === value) return nearest;
    const beside = middle === value ? nearest : Number(middle.toPrecision(digits));
    if (Math.fround(beside) === value) return beside;
  }
  return Number(value.toPrecision(9));
}
