import { InvalidQueryError } from './errors.ts';

/** The same whether a filter, a row policy or the table excludes the record. */
export function recordNotInList(): InvalidQueryError {
  const pointer = '/page/containing';
  const detail = `${pointer}: the list has no record with this key.`;
  return new InvalidQueryError([{ pointer, code: 'record_not_in_list', detail }]);
}
