import type { Field } from '@proj/engine/database';

/** A decimal has so many digits; a sum that needs more is the largest of them, in silence. */
export const DIGITS = 65;

/** How many digits after the point the decimals of a column have. */
export function decimalScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number {
  return Number(/^decimal\(\d+,\s*(\d+)\)/.exec(databaseType)?.[1] ?? 0);
}

/** To how many digits after the point a floating point column rounds; undefined for most. */
export function roundedScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number | undefined {
  const [, scale] = /^(?:float|double)\(\d+,\s*(\d+)\)/.exec(databaseType) ?? [];
  return scale === undefined ? undefined : Number(scale);
}
