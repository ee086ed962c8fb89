import { groupDigits } from '@proj/contract';
import { pageOffset, pageRange } from '@proj/paging';

/** Which page, of how many records in all. */
export interface PagePosition {
  readonly page: number;
  readonly size: number;
  /** `null` where it is not known. */
  readonly total: bigint | null;
  /** How many records the page has. */
  readonly count: number;
}

/** Which records a page shows, such as "records 41–50 of 138,398". */
export function recordRangeText({ page, size, total, count }: PagePosition): string {
  if (total === null) return uncountedRangeText(pageOffset({ page, size }), count);
  const { first, last } = pageRange({ page, size }, total);
  if (total === 0n) return 'no records';
  const all = groupDigits(total);
  if (first === null || last === null)
    return `past the end: ${all} ${total === 1n ? 'record' : 'records'} in all`;
  if (first === last) return `record ${groupDigits(first)} of ${all}`;
  return `records ${groupDigits(first)}–${groupDigits(last)} of ${all}`;
}

function uncountedRangeText(before: bigint, count: number): string {
  if (count === 0) return before === 0n ? 'no records' : 'past the end';
  const last = before + BigInt(count);
  if (count === 1) return `record ${groupDigits(last)}`;
  return `records ${groupDigits(before + 1n)}–${groupDigits(last)}`;
}
