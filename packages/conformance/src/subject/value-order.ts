/** Types whose order is the same everywhere; that of texts is the database's own. */
const NUMERIC = new Set(['int32', 'int64', 'decimal']);
const CHRONOLOGICAL = new Set(['date', 'timestamp', 'timestamp_tz']);

/** Whether values of the type can be put in order here. */
export function isComparable(type: string): boolean {
  return NUMERIC.has(type) || CHRONOLOGICAL.has(type);
}

/** Which of two values of a comparable type comes first. Dates of one form compare as texts. */
export function compareValues(a: unknown, b: unknown, type: string): number {
  const [left, right] = [String(a), String(b)];
  if (!NUMERIC.has(type)) return left < right ? -1 : Number(left > right);
  const places = Math.max(decimals(left), decimals(right));
  const difference = scaled(left, places) - scaled(right, places);
  return difference < 0n ? -1 : Number(difference > 0n);
}

function decimals(text: string): number {
  return /\.(\d*)$/.exec(text)?.[1]?.length ?? 0;
}

/** `-1.5` with two places is −150n. What is no plain decimal counts as 0. */
function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole + fraction.padEnd(places, '0');
  return /^-?\d+$/.test(digits) ? BigInt(digits) : 0n;
}
