/**
 * A text that is no number stays. `Intl.NumberFormat` would round texts and drop trailing zeros.
 */
export function groupDigits(number: string | bigint | number): string {
  const [, sign, whole, rest] = /^(-?)(\d+)((?:\.\d+)?)$/.exec(String(number)) ?? [];
  if (whole === undefined) return String(number);
  const first = whole.length % 3 || 3;
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])];
  return `${sign}${groups.join(',')}${rest}`;
}
