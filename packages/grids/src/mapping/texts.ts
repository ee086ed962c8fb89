import type { Filter } from '@proj/client';
import { FILTER_LIMITS } from '@proj/contract';

import type { Condition } from './condition.ts';
import type { Part } from './filter-parts.ts';

/** Where a text is looked for. */
export type TextPlace = 'contains' | 'starts_with' | 'ends_with';

/** Whether a text holds another one, in any letter case unless the adapter was asked otherwise. */
export function holdsText(condition: Condition, place: TextPlace, text: unknown): Filter {
  return condition.compare(condition.caseSensitive ? place : `i${place}`, text);
}

/** Whether an attribute equals one of some texts, in any letter case as above. */
export function isOneOfTexts(condition: Condition, texts: readonly unknown[]): Filter {
  const cased =
    condition.caseSensitive || condition.entry.type !== 'text' ? [] : texts.filter(hasCase);
  if (cased.length > FILTER_LIMITS.leaves)
    condition.refuse(
      `a filter compares with at most ${FILTER_LIMITS.leaves} texts in any letter case`,
      'fewer of them, or `caseSensitive: true`',
    );
  const parts = cased.map((text) => condition.compare('ieq', text));
  const [first] = parts;
  const others = texts.filter((text) => !cased.includes(text));
  if (first === undefined) return condition.isOneOf(others);
  if (others.length > 0) parts.push(condition.isOneOf(others));
  return parts.length === 1 ? first : { or: parts };
}

/** The opposite for one text; NULL differs from it. */
export function isOtherText(condition: Condition, text: unknown): Part {
  const equal = isOneOfTexts(condition, [text]);
  return 'op' in equal && equal.op === 'eq' ? condition.isOther(text) : condition.except(equal);
}

function hasCase(text: unknown): boolean {
  return typeof text === 'string' && text.toLowerCase() !== text.toUpperCase();
}
