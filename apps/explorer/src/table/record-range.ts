import { groupDigits } from '@proj/contract';
import { pageRange } from '@proj/paging';

/** Which page, of how many records in all. */
export interface PagePosition {
  readonly page: number;
  readonly size: number;
  readonly total: bigint;
}

/** Which records a page shows, such as "records 41–50 of 138,398". */
export function recordRangeText({ page, size, total }: PagePosition): string {
  const { first, last } = pageRange({ page, size }, total);
  if (total === 0n) return 'no records';
  const all = groupDigits(total);
  if (first === null || last === null)
    return `past the end: ${all} ${total === 1n ? 'record' : 'records'} in all`;
  if (first === last) return `record ${groupDigits(first)} of ${all}`;
  return `records ${groupDigits(first)}–${groupDigits(last)} of ${all}`;
}
