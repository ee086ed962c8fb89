import { InvalidQueryError } from './errors.ts';

/**
 * The error of a request for the page of a record that is not in the list. It is the same whether
 * the filter or the row policy excludes the record or the table does not have it.
 */
export function recordNotInList(): InvalidQueryError {
  const pointer = '/page/containing';
  const detail = `${pointer}: the list has no record with this key.`;
  return new InvalidQueryError([{ pointer, code: 'record_not_in_list', detail }]);
}
