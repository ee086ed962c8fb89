import { FIRST_VIEW } from '../state/view-state.ts';
import type { UnreadablePart } from '../state/view/view-url.ts';

/** What is shown in place of a part whose text is no value of it. */
const INSTEAD: Readonly<Partial<Record<string, string>>> = {
  page: 'is not a whole number from 1. Page 1 is shown.',
  size: `is not a whole number from 1. A page has ${FIRST_VIEW.size} records.`,
  sort: 'cannot be read. The records are in the order of the model.',
};

/** Says what of the address the view is without, and why. */
export function explainUnread({ name, why }: Pick<UnreadablePart, 'name' | 'why'>): string {
  if (why === 'unknown') return 'is not a part of a view. The view is without it.';
  if (why === 'repeated') return `is left out: “${name}” is in the address before.`;
  return INSTEAD[name] ?? 'cannot be read. The view is without it.';
}
