import type { RequestedTotal } from '@proj/contract';

/** The total of a page: `null` where it was not asked for, or is more than was to be counted. */
export type PageTotal = bigint | null;

/** What a page that is found by a record may have for a total: its place is counted in any case. */
export type CountedTotal = Exclude<RequestedTotal, 'none'>;

/** A total as a number, where that is exact. */
export function totalNumber(total: PageTotal): number | null {
  const number = Number(total);
  return total !== null && Number.isSafeInteger(number) ? number : null;
}

/** What a page has for a total, by what was asked for. */
export type TotalOf<Requested extends RequestedTotal> = Requested extends 'exact'
  ? bigint
  : Requested extends 'none'
    ? null
    : PageTotal;
