import type { Field } from '../../../catalogue/field.ts';

/** How many digits after the point the decimals of a column have. */
export function decimalScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number {
  return Number(/^decimal\(\d+,\s*(\d+)\)/.exec(databaseType)?.[1] ?? 0);
}

/** To how many digits after the point a floating point column rounds; undefined for most. */
export function roundedScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number | undefined {
  const [, scale] = /^(?:float|double)\(\d+,\s*(\d+)\)/.exec(databaseType) ?? [];
  return scale === undefined ? undefined : Number(scale);
}
