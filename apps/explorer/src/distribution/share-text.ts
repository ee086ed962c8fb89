/**
 * A share in per cent with one decimal. What is not nothing does not look like nothing, and what is
 * not all not like all.
 */
export function shareText(count: bigint, total: bigint): string {
  if (total === 0n || count === 0n) return '0 %';
  if (count >= total) return '100 %';
  const tenths = Number((count * 2000n + total) / (total * 2n));
  if (tenths === 0) return '< 0.1 %';
  if (tenths === 1000) return '> 99.9 %';
  return `${(tenths / 10).toFixed(1)} %`;
}
