/**
 * A number with commas between the thousands, such as 135,233, however many digits it has; a text
 * that is no number stays as it is. `Intl.NumberFormat` would round texts and drop zeros at their
 * end.
 */
export function groupDigits(number: string | bigint | number): string {
  const [, sign, whole, rest] = /^(-?)(\d+)((?:\.\d+)?)$/.exec(String(number)) ?? [];
  if (whole === undefined) return String(number);
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
