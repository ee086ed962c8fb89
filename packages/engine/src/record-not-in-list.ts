import { InvalidQueryError } from './errors.ts';

/**
 * The error that a caller gets for the page of a record which the list does not have, whether it is
 * elsewhere, hidden, or nowhere.
 */
export function recordNotInList(): InvalidQueryError {
  const pointer = '/page/containing';
  const detail = `${pointer}: the list has no record with this key.`;
  return new InvalidQueryError([{ pointer, code: 'record_not_in_list', detail }]);
}
