const GROUPED = new Intl.NumberFormat('en');

/** 135233 as 135,233. */
export function groupDigits(count: number | bigint): string {
  return GROUPED.format(count);
}
