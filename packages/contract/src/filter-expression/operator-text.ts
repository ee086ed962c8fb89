import { INFIX_OPERATORS, LIST_OPERATORS } from '../text/print-filter.ts';

const WRITTEN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(INFIX_OPERATORS),
  ...Object.entries(LIST_OPERATORS),
  ['between', 'between'],
  ['is_null', 'is null'],
]);

/** Operators as expressions write them; unknown ones by name. */
export function operatorTexts(operators: readonly string[]): string {
  return operators.map((operator) => WRITTEN.get(operator) ?? operator).join(', ');
}
