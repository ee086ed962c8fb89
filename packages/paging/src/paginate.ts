import { pageRange, type PageRequest } from './arithmetic.ts';
import { pageMetadata, type PageMetadata } from './metadata.ts';

/** One page of records with its metadata, in the shape of the wire. */
export interface Paginated<Item> {
  readonly result: Item[];
  readonly page: PageMetadata;
}

/**
 * One page of a list that is already in memory. A page past the end is empty and still carries the
 * true total.
 *
 * @throws {RangeError} when page or size is not a whole number of at least 1.
 */
export function paginate<Item>(records: readonly Item[], request: PageRequest): Paginated<Item> {
  const { first, last } = pageRange(request, records.length);
  const result = first === null ? [] : records.slice(Number(first) - 1, Number(last));
  return { result, page: pageMetadata(request, records.length) };
}
