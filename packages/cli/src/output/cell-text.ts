/** For people and spreadsheets: texts as they are, arrays and objects as JSON, NULL as `null`. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
