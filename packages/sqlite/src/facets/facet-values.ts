import type { Dialect } from '@proj/engine/database';

/** Apart from the dialect, so that the reader process loads little. */
export const facetValues: Pick<Dialect['groups'], 'boundValue' | 'trimsSums'> = {
  /** Node binds a number as a real, a bigint as an integer. */
  boundValue(text, { type, storedAs }) {
    if (storedAs !== undefined) return text.replace(/Z$/, '');
    if (type === 'time') return text;
    return type !== 'float64' && isWhole(text) ? BigInt(text) : Number(text);
  },
  trimsSums: true,
};

function isWhole(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}
