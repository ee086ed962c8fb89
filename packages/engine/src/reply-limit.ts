import { InvalidQueryError } from './errors.ts';

export const MAX_REPLY_BYTES = 64 * 2 ** 20;

export function facetsTooLarge(maximum: number): InvalidQueryError {
  const detail =
    `/query_facets: the values of these facets take more than ${maximum} bytes. ` +
    'Ask for fewer values or facets.';
  return new InvalidQueryError([
    { pointer: '/query_facets', code: 'reply_too_large', detail, maximum },
  ]);
}

export function replyTooLarge(maximum: number): InvalidQueryError {
  const detail =
    `/page/size: the records of this page take more than ${maximum} bytes. ` +
    'Ask for a smaller page or for fewer attributes.';
  return new InvalidQueryError([
    { pointer: '/page/size', code: 'reply_too_large', detail, maximum },
  ]);
}
