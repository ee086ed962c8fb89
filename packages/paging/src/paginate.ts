import { pageRange, type PageRequest } from './arithmetic.ts';
import { pageMetadata, type PageMetadata } from './metadata.ts';

/** One page of elements with its metadata, in the shape of the wire. */
export interface Paginated<Element> {
  readonly result: Element[];
  readonly page: PageMetadata;
}

/**
 * One page of a list that is already in memory. A page past the end is empty and still carries the
 * true total.
 *
 * @throws {RangeError} when page or size is not a whole number of at least 1.
 */
export function paginate<Element>(
  elements: readonly Element[],
  request: PageRequest,
): Paginated<Element> {
  const { first, last } = pageRange(request, elements.length);
  const result = first === null ? [] : elements.slice(Number(first) - 1, Number(last));
  return { result, page: pageMetadata(request, elements.length) };
}
