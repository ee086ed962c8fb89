/** One of some lists into which a table is divided by its amounts, which are below 10,000. */
export interface ListRange {
  readonly from: number;
  /** The first amount that is of the next list. */
  readonly to: number;
}

const MOST_AMOUNT = 10_000;

/** The ranges of lists of equal width, which are whole numbers of hundredths. */
export function rangeOf(list: number, lists: number): ListRange {
  const bound = (index: number): number => Math.floor((MOST_AMOUNT * 100 * index) / lists) / 100;
  return { from: bound(list), to: bound(list + 1) };
}
