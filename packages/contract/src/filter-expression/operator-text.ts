import { INFIX_OPERATORS } from '../text/print-filter.ts';

const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(INFIX_OPERATORS),
  ['in', 'in'],
  ['not_in', 'not in'],
  ['between', 'between'],
  ['is_null', 'is null'],
]);

/** Operators as a filter expression writes them; one of a newer service by its name. */
export function operatorTexts(operators: readonly string[]): string {
  return operators.map((operator) => WRITTEN.get(operator) ?? operator).join(', ');
}
