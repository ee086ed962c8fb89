/**
 * Digits without an exponent: all of a whole number, 2^64 as `18446744073709551616`; else the
 * fewest that read back, `0.00000015` for `1.5e-7`. Or `Infinity`, `-Infinity`, `NaN`.
 */
export function decimalDigits(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value));
  const text = String(value);
  if (!text.includes('e-')) return text;
  const [mantissa = '', exponent] = text.split('e-');
  const [sign, whole = '', fraction = ''] = /^(-?)(\d)(?:\.(\d+))?$/.exec(mantissa)?.slice(1) ?? [];
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${fraction}`;
}

/** As {@link decimalDigits}, with the fewest digits that read back: `1e23` is 10^23. */
export function shortestDigits(value: number): string {
  const text = String(value);
  if (text.includes('e-')) return decimalDigits(value);
  const [mantissa = '', exponent] = text.split('e+');
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = mantissa.split('.');
  return whole + fraction.padEnd(Number(exponent), '0');
}
