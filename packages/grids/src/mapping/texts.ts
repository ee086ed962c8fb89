import type { Filter } from '@proj/client';
import { FILTER_LIMITS } from '@proj/contract';

import type { Condition, Mapping } from './condition.ts';
import { anyOf, type Part } from './filter-parts.ts';

/** Whether a text holds another one, in any letter case unless the adapter was asked otherwise. */
export function holdsText(
  mapped: Condition,
  place: 'contains' | 'starts_with' | 'ends_with',
  text: unknown,
): Filter {
  return mapped.compare(mapped.caseSensitive ? place : `i${place}`, text);
}

/** Whether an attribute equals one of some texts, in any letter case as above. */
export function isOneOfTexts(mapped: Condition, texts: readonly unknown[]): Filter {
  const isCased = mapped.caseSensitive || mapped.entry.type !== 'text';
  const cased = isCased ? [] : texts.filter(hasCase);
  if (cased.length > FILTER_LIMITS.leaves)
    mapped.refuse(
      `a filter compares with at most ${FILTER_LIMITS.leaves} texts in any letter case`,
      'fewer of them, or `caseSensitive: true`',
    );
  const parts = cased.map((text) => mapped.compare('ieq', text));
  const [first] = parts;
  const others = texts.filter((text) => !cased.includes(text));
  if (first === undefined) return mapped.isOneOf(others);
  if (others.length > 0) parts.push(mapped.isOneOf(others));
  return parts.length === 1 ? first : { or: parts };
}

/** The opposite for one text; NULL differs from it. */
function isOtherText(mapped: Condition, text: unknown): Part {
  const equal = isOneOfTexts(mapped, [text]);
  return 'op' in equal && equal.op === 'eq' ? mapped.isOther(text) : mapped.except(equal);
}

/** NULL, or the empty text. Texts of spaces are blank to some grids: no operator finds them. */
export function isBlank(mapped: Condition): Part {
  if (mapped.entry.type !== 'text') return mapped.isNull();
  return anyOf([mapped.isNull(), mapped.compare('eq', '')]);
}

export function isNotBlank(mapped: Condition): Filter {
  return mapped.entry.type === 'text' ? mapped.compare('ne', '') : mapped.isNotNull();
}

function hasCase(text: unknown): boolean {
  return typeof text === 'string' && text.toLowerCase() !== text.toUpperCase();
}

/** The conditions on texts that several grids have, by the names of AG Grid. */
export const TEXT_CONDITIONS: ReadonlyMap<string, Mapping> = new Map<string, Mapping>([
  ['contains', (mapped, text) => holdsText(mapped, 'contains', text)],
  ['notContains', (mapped, text) => mapped.except(holdsText(mapped, 'contains', text))],
  ['startsWith', (mapped, text) => holdsText(mapped, 'starts_with', text)],
  ['endsWith', (mapped, text) => holdsText(mapped, 'ends_with', text)],
  ['equals', (mapped, text) => isOneOfTexts(mapped, [text])],
  ['notEqual', isOtherText],
]);
