/** A page of which fewer records are shown: one of another size that begins at the same record. */
export interface FittingPage {
  readonly number: number;
  readonly size: number;
}

/** What is to be shown of a page. */
export interface WantedPage extends FittingPage {
  /** How many bytes each of its records takes. */
  readonly bytes: readonly number[];
  /** How many bytes they may take together. */
  readonly most: number;
}

/**
 * The largest page that begins at the same record and takes no more bytes, so that the next one
 * goes on where it ends; undefined where the first record alone takes more.
 */
export function fitPage({ number, size, bytes, most }: WantedPage): FittingPage | undefined {
  const fitting = countFitting(bytes, most);
  if (fitting === bytes.length) return { number, size };
  const before = BigInt(number - 1) * BigInt(size);
  for (let smaller = fitting; smaller > 0; smaller -= 1)
    if (before % BigInt(smaller) === 0n)
      return { number: Number(before / BigInt(smaller)) + 1, size: smaller };
  return undefined;
}

/** How many of the first records fit. */
export function countFitting(bytes: readonly number[], most: number): number {
  let left = most;
  const tooMany = bytes.findIndex((one) => {
    left -= one;
    return left < 0;
  });
  return tooMany === -1 ? bytes.length : tooMany;
}
