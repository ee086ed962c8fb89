import type { Field } from '../../../catalogue/field.ts';

/** How many digits after the point the decimals of a column have. */
export function decimalScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number {
  return Number(/^decimal\(\d+,\s*(\d+)\)/.exec(databaseType)?.[1] ?? 0);
}
