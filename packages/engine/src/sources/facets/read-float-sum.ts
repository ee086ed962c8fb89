/** By this large numbers are divided before they are added. */
export const DIVISOR = 1e20;

/** The sum of doubles, of the texts of both sums with a blank between them. */
export function readFloatSum(text: string): string {
  const [small, large] = text.split(' ').map(Number);
  return String((small ?? 0) + (large ?? 0) * DIVISOR);
}
