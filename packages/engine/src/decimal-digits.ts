/**
 * A double in decimal digits without an exponent. A whole number has all of its own: 2^64 is
 * `18446744073709551616`. Another has the fewest that read back to it: `0.1`, and `0.00000015` for
 * `1.5e-7`. Those without digits are `Infinity`, `-Infinity` and `NaN`.
 */
export function decimalDigits(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value));
  const text = String(value);
  if (!text.includes('e-')) return text;
  const [mantissa = '', exponent] = text.split('e-');
  const [sign, whole = '', fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(mantissa)?.slice(1) ?? [];
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** The same, but whole numbers too have the fewest digits that read back: `1e23` is 10^23. */
export function shortestDigits(value: number): string {
  const text = String(value);
  if (text.includes('e-')) return decimalDigits(value);
  const [mantissa = '', exponent] = text.split('e+');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}
