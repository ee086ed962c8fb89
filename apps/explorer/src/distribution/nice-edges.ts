/** Where to cut a span of numbers into ranges that are easy to read. */
export interface Edges {
  /** The cuts, ascending, all of them within the span; n cuts make n + 1 ranges. */
  readonly cuts: readonly number[];
  /** Whether the ranges grow with the values. */
  readonly grows: boolean;
}

const MOST_RANGES = 10;
/** Equal ranges of a span like this would put nearly everything into the first. */
const GROWS_FROM_RATIO = 100;
/** `toFixed` writes at most 100 decimals. */
const LEAST_WIDTH = 1e-90;

/**
 * Cuts the span into at most ten ranges: at 1, 2 and 5 × 10^n, or at 10^n alone, where it is
 * positive and wide, else at equal steps.
 */
export function niceEdges(smallest: number, largest: number): Edges {
  if (!(largest > smallest) || !Number.isFinite(largest - smallest))
    return { cuts: [], grows: false };
  if (smallest > 0 && largest / smallest >= GROWS_FROM_RATIO)
    return { cuts: growingCuts(smallest, largest), grows: true };
  return { cuts: equalSteps(smallest, largest), grows: false };
}

function growingCuts(smallest: number, largest: number): number[] {
  const first = Math.floor(Math.log10(smallest));
  const last = Math.ceil(Math.log10(largest));
  const exponents = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const cutsAt = (...factors: readonly number[]) =>
    exponents
      .flatMap((exponent) => factors.map((factor) => Number(`${factor}e${exponent}`)))
      .filter((cut) => cut > smallest && cut < largest);
  const fine = cutsAt(1, 2, 5);
  return fine.length < MOST_RANGES ? fine : cutsAt(1).slice(-(MOST_RANGES - 1));
}

function equalSteps(smallest: number, largest: number): number[] {
  const width = (largest - smallest) / (MOST_RANGES - 1);
  if (width < LEAST_WIDTH) return [];
  const step = niceStep(width);
  const first = Math.floor(smallest / step) + 1;
  const count = Math.ceil(largest / step) - first;
  const cuts = Array.from({ length: Math.max(0, count) }, (_, index) =>
    withDecimalsOf(step, (first + index) * step),
  );
  // Far from zero, neighbouring cuts can be the same number.
  return [...new Set(cuts)];
}

/** The least of 1, 2, 5, 10 × 10^n that is not below `width`. */
function niceStep(width: number): number {
  const magnitude = powerOfTen(Math.floor(Math.log10(width)));
  const factor = [1, 2, 5].find((candidate) => candidate * magnitude >= width) ?? 10;
  return factor * magnitude;
}

/** `10 ** -3` is not the number nearest to 0.001; its text is. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** Takes the noise of binary steps away, such as that of 3 × 0.1. */
function withDecimalsOf(step: number, value: number): number {
  return step >= 1 ? value : Number(value.toFixed(Math.ceil(-Math.log10(step))));
}
