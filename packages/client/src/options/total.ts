import type { RequestedTotal } from '@proj/contract';

/** `null` where it was not asked for, or passes the limit of counting. */
export type PageTotal = bigint | null;

/** For a page that is found by a record, whose place is always counted. */
export type CountedTotal = Exclude<RequestedTotal, 'none'>;

/** `null` where the number would not be exact. */
export function totalNumber(total: PageTotal): number | null {
  const number = Number(total);
  return total !== null && Number.isSafeInteger(number) ? number : null;
}

export type TotalOf<Requested extends RequestedTotal> = Requested extends 'exact'
  ? bigint
  : Requested extends 'none'
    ? null
    : PageTotal;
