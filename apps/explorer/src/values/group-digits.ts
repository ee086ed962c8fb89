/**
 * Sets commas between the thousands of a number's digits, however many there are; other texts stay
 * as they are.
 */
export function groupDigits(number: string | bigint | number): string {
  const [, sign, whole, rest] = /^(-?)(\d+)((?:\.\d+)?)$/.exec(String(number)) ?? [];
  if (whole === undefined) return String(number);
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
