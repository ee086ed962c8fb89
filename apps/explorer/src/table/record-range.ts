import { groupDigits } from '@proj/contract';
import { pageRange } from '@proj/paging';

/** Which page, of how many elements in all. */
export interface PagePosition {
  readonly page: number;
  readonly size: number;
  readonly total: bigint;
}

/** Which rows a page shows, such as "rows 41–50 of 138,398". */
export function rowRangeText({ page, size, total }: PagePosition): string {
  const { first, last } = pageRange({ page, size }, total);
  if (total === 0n) return 'no rows';
  const all = groupDigits(total);
  if (first === null || last === null)
    return `past the end: ${all} ${total === 1n ? 'row' : 'rows'} in all`;
  if (first === last) return `row ${groupDigits(first)} of ${all}`;
  return `rows ${groupDigits(first)}–${groupDigits(last)} of ${all}`;
}
