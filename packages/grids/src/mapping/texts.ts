import type { Filter } from '@proj/client';

import type { Condition } from './condition.ts';

/** Where a text is looked for. */
export type TextPlace = 'contains' | 'starts_with' | 'ends_with';

/** Whether a text holds another one, in any letter case unless the adapter was asked otherwise. */
export function holdsText(condition: Condition, place: TextPlace, text: unknown): Filter {
  return condition.compare(condition.texts.caseSensitive ? place : `i${place}`, text);
}

/**
 * Whether an attribute is one of some texts, as a grid that disregards letter case compares them.
 * The service compares for equality exactly, which is the same where a text has no letter case.
 */
export function isOneOfTexts(condition: Condition, texts: readonly unknown[]): Filter {
  for (const text of texts) checkCase(condition, text);
  return condition.isOneOf(texts);
}

/** The opposite for one text; NULL differs from it. */
export function isOtherText(condition: Condition, text: unknown): Filter {
  checkCase(condition, text);
  return condition.isOther(text);
}

/** The types whose texts have letters in more than one case. */
const CASED = new Set(['text', 'enum', 'other']);

function checkCase(condition: Condition, text: unknown): void {
  const { caseSensitive, exactBy } = condition.texts;
  if (caseSensitive || !CASED.has(condition.entry.type)) return;
  if (typeof text !== 'string' || text.toLowerCase() === text.toUpperCase()) return;
  condition.refuse(
    'the grid disregards letter case, and the service compares texts for equality exactly',
    `${exactBy}, or a condition that looks for a part of a text`,
  );
}
