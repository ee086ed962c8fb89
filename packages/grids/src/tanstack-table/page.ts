import type { BlockRows } from '../reading/read-rows.ts';

/** One page of a table. */
export interface TablePage<Item> {
  /** The table's `data`. */
  readonly rows: Item[];
  /**
   * How many rows there are; `null` where no number is exact: without a total, and past 2^53 − 1.
   */
  readonly rowCount: number | null;
  /** The table's `pageCount`; −1 where it is not known. */
  readonly pageCount: number;
  readonly hasNext: boolean;
}

/** The page that a block is. */
export function pageOf<Item>(block: BlockRows, pageSize: number): TablePage<Item> {
  const { rows, totalNumber, hasNext } = block;
  return {
    rows: rows as Item[],
    rowCount: totalNumber,
    pageCount: totalNumber === null ? -1 : Math.ceil(totalNumber / pageSize),
    hasNext,
  };
}
