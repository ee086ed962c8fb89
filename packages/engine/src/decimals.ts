export { canonicalNumber } from '@proj/contract';

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

/** `units` × 10^-`scale`. */
export interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

export function readScaled(text: string): Scaled | undefined {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(sign + whole + fraction), scale: fraction.length };
}

export function printScaled({ units, scale }: Scaled): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${sign}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** @param wanted at least its own scale */
export function unitsAt({ units, scale }: Scaled, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

export function addScaled(numbers: readonly Scaled[]): Scaled {
  const scale = Math.max(0, ...numbers.map((one) => one.scale));
  return { units: numbers.reduce((sum, one) => sum + unitsAt(one, scale), 0n), scale };
}

/** The least number of digits after the point of an average; more where the sum has more. */
const AVERAGE_SCALE = 16;

/** Rounded half away from zero. */
export function averageOf(sum: Scaled, count: bigint): Scaled {
  const scale = Math.max(AVERAGE_SCALE, sum.scale);
  const doubled = unitsAt(sum, scale) * 2n;
  const rounding = doubled < 0n ? -count : count;
  return { units: (doubled + rounding) / (count * 2n), scale };
}

/** Drops zeros at the end of the fraction, down to a scale. */
export function trimScaled({ units, scale }: Scaled, least = 0): Scaled {
  let trimmed = { units, scale };
  while (trimmed.scale > least && trimmed.units % 10n === 0n)
    trimmed = { units: trimmed.units / 10n, scale: trimmed.scale - 1 };
  return trimmed;
}
