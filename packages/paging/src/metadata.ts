import { hasNextPage, type PageRequest } from './arithmetic.ts';

/**
 * The paging metadata of a reply, as it travels. The numbers are strings of decimal digits without
 * leading zeros, so that no reader loses one past 2^53 (the JSON form of an int64 in protobuf).
 */
export interface PageMetadata {
  /** The page that was asked for. */
  readonly page: string;
  /** The page size that was asked for. */
  readonly size: string;
  /** How many records the whole list has. */
  readonly total: string;
  /** Whether another page follows: exactly when `page × size < total`. */
  readonly has_next: boolean;
}

/** Paging metadata read back into numbers. */
export interface PageNumbers<N extends number | bigint> {
  readonly page: N;
  readonly size: N;
  readonly total: N;
  readonly hasNext: boolean;
}

/**
 * The metadata of a page of a list with `total` records.
 *
 * @throws {RangeError} when page or size is not a whole number of at least 1, or total of at least
 *   0.
 */
export function pageMetadata(request: PageRequest, total: number | bigint): PageMetadata {
  const has_next = hasNextPage(request, total);
  return { page: String(request.page), size: String(request.size), total: String(total), has_next };
}

/**
 * Reads metadata back: as bigints, or as numbers where the caller prefers them and none passes 2^53
 * − 1. `has_next` is taken as it is; check metadata of doubtful origin with `pageMetadataSchema`
 * first.
 *
 * @throws {RangeError} when a member is not a canonical decimal string, or does not fit a number
 *   when numbers are asked for.
 */
export function readPageMetadata(metadata: PageMetadata, as?: 'bigint'): PageNumbers<bigint>;
export function readPageMetadata(metadata: PageMetadata, as: 'number'): PageNumbers<number>;
export function readPageMetadata(
  metadata: PageMetadata,
  as: 'bigint' | 'number' = 'bigint',
): PageNumbers<number | bigint> {
  const read = as === 'bigint' ? exactBigInt : exactNumber;
  return {
    page: read('page', metadata.page),
    size: read('size', metadata.size),
    total: read('total', metadata.total),
    hasNext: metadata.has_next,
  };
}

function exactBigInt(name: string, text: string): bigint {
  // An untyped caller may pass the number of a non-conforming reply, already rounded.
  const isText = typeof text === 'string';
  if (!isText || !/^(0|[1-9][0-9]*)$/.test(text)) {
    const found = isText ? JSON.stringify(text) : `one of type ${typeof text}`;
    throw new RangeError(
      `${name}: expected decimal digits without leading zeros, such as "42"; got ${found}`,
    );
  }
  return BigInt(text);
}

function exactNumber(name: string, text: string): number {
  const value = Number(exactBigInt(name, text));
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${name}: ${text} is past 2^53 − 1; read it as a bigint`);
  return value;
}
