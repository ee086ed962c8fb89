/**
 * A text that is no number stays. `Intl.NumberFormat` would round texts and drop trailing zeros.
 */
export function groupDigits(number: string | bigint | number): string {
  const [, sign, whole, rest] = /^(-?)(\d+)((?:\.\d+)?)$/.exec(String(number)) ?? [];
  if (whole === undefined) return String(number);
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
