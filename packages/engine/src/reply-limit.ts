import { InvalidQueryError } from './errors.ts';

/** How many bytes the records of one page may take, unless the settings say otherwise: 64 MiB. */
export const MAX_REPLY_BYTES = 64 * 2 ** 20;

/** The error that a caller gets whose facets are more than a reply may be. */
export function facetsTooLarge(maximum: number): InvalidQueryError {
  const detail =
    `/query_facets: the values of these facets take more than ${maximum} bytes. ` +
    'Ask for fewer values or facets.';
  return new InvalidQueryError([
    { pointer: '/query_facets', code: 'reply_too_large', detail, maximum },
  ]);
}

/** The error that a caller gets whose page is larger than a reply may be. */
export function replyTooLarge(maximum: number): InvalidQueryError {
  const detail =
    `/page/size: the records of this page take more than ${maximum} bytes. ` +
    'Ask for a smaller page or for fewer attributes.';
  return new InvalidQueryError([
    { pointer: '/page/size', code: 'reply_too_large', detail, maximum },
  ]);
}
