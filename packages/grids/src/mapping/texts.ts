import type { Filter } from '@proj/client';

import type { Condition, Disregarded } from './condition.ts';

/** Where a text is looked for. */
export type TextPlace = 'contains' | 'starts_with' | 'ends_with';

/** Whether a text holds another one, in any letter case unless the adapter was asked otherwise. */
export function holdsText(condition: Condition, place: TextPlace, text: unknown): Filter {
  return condition.compare(condition.texts.caseSensitive ? place : `i${place}`, text);
}

/**
 * Whether an attribute equals one of some texts, for a grid that disregards letter case. The
 * service compares exactly, so a text with letters is refused.
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

/** Whether the grid may take a text for the same as another one. */
const HAS_FORMS: Readonly<Record<Disregarded, (text: string) => boolean>> = {
  'letter case': (text) => text.toLowerCase() !== text.toUpperCase(),
  'letter case and accents': (text) => /\p{Letter}/u.test(text),
};

function checkCase(condition: Condition, text: unknown): void {
  const { caseSensitive, disregards, exactBy } = condition.texts;
  if (caseSensitive || !CASED.has(condition.entry.type)) return;
  if (typeof text !== 'string' || !HAS_FORMS[disregards](text)) return;
  condition.refuse(
    `the grid disregards ${disregards}, and the service compares texts for equality exactly`,
    `${exactBy}, or a condition that looks for a part of a text`,
  );
}
