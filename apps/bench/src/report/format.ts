/**
 * Three digits that count, as people read them: `16,400`, `3.21`, `0.0457`; a dash where there is
 * no number.
 */
export function formatNumber(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (value >= 100) return Number(value.toPrecision(3)).toLocaleString('en-US');
  return value === 0 ? '0' : value.toPrecision(3);
}

/** `2.41×`, or a dash. */
export function formatRatio(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? '–' : `${formatNumber(value)}×`;
}

/** A quotient where both numbers are there. */
export function ratio(value: number | undefined, by: number | undefined): number | undefined {
  return value === undefined || by === undefined || by === 0 ? undefined : value / by;
}
