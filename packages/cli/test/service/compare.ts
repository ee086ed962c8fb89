/** The order of two values that are not NULL. */
export function compare(a: unknown, b: unknown, type: string): number {
  if (type === 'int64') return Number(BigInt(String(a)) - BigInt(String(b)));
  if (type === 'decimal') return Number(a) - Number(b);
  if (type === 'boolean') return Number(a) - Number(b);
  return String(a) < String(b) ? -1 : Number(String(a) > String(b));
}
