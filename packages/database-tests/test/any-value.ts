import { decimalDigits } from '../../engine/src/decimals.ts';

/** What SQLite stores: a bigint is an integer, and a number a real. */
export type Stored = null | bigint | number | string | Uint8Array;

/** A value of an attribute of type `any`, as its JSON reads. */
export function anyOf(value: Stored): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
      ? Number(value)
      : { number: String(value) };
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return { number: Number.isFinite(value) ? `${decimalDigits(value)}.0` : String(value) };
}

/** What kind of value comes before which other in SQLite; NULL is none. */
function rankOf(value: Stored): number {
  if (value instanceof Uint8Array) return 2;
  return typeof value === 'string' ? 1 : 0;
}

/**
 * How two values compare in SQLite: numbers by what they are, texts by their bytes.
 *
 * @param fold what the collation compares of a text
 */
export function compareStored(
  one: Stored,
  other: Stored,
  fold: (text: string) => string = (text) => text,
): number {
  const ranks = rankOf(one) - rankOf(other);
  if (ranks !== 0) return ranks;
  if (rankOf(one) > 0) return Buffer.compare(bytesOf(one, fold), bytesOf(other, fold));
  const [first, second] = [one ?? 0, other ?? 0];
  return first < second ? -1 : first > second ? 1 : 0;
}

function bytesOf(value: Stored, fold: (text: string) => string): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(fold(String(value)));
}
