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

/** The decimal digits of a number, all of its scale. */
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
