/** A decimal number: so many units of 10^-scale each. */
export interface Scaled {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The number that a text of decimal digits holds; undefined where it is none. */
export function readScaled(text: string): Scaled | undefined {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { units: BigInt(sign + whole + fraction), scale: fraction.length };
}

/** The decimal digits of a number, all of its scale. */
export function printScaled({ units, scale }: Scaled): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${sign}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** The units of a number at a scale that is not smaller than its own. */
export function unitsAt({ units, scale }: Scaled, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

/** The exact sum. */
export function addScaled(numbers: readonly Scaled[]): Scaled {
  const scale = Math.max(0, ...numbers.map((one) => one.scale));
  return { units: numbers.reduce((sum, one) => sum + unitsAt(one, scale), 0n), scale };
}

/** An average has so many digits after the point, or as many as the sum where those are more. */
const AVERAGE_SCALE = 16;

/** A sum divided by how many numbers it has, rounded half away from zero. */
export function averageOf(sum: Scaled, count: bigint): Scaled {
  const scale = Math.max(AVERAGE_SCALE, sum.scale);
  const doubled = unitsAt(sum, scale) * 2n;
  const rounding = doubled < 0n ? -count : count;
  return { units: (doubled + rounding) / (count * 2n), scale };
}

/** The same number without zeros at the end of its fraction beyond a scale. */
export function trimScaled({ units, scale }: Scaled, least = 0): Scaled {
  let trimmed = { units, scale };
  while (trimmed.scale > least && trimmed.units % 10n === 0n)
    trimmed = { units: trimmed.units / 10n, scale: trimmed.scale - 1 };
  return trimmed;
}
