import { groupDigits } from '@proj/contract';

import type { PageTotal } from '../options/total.ts';

/** What is known of a list at a moment: a page of it, or a state as it is watched. */
export interface KnownList {
  readonly total: PageTotal;
  readonly dataVersion: string | null;
}

/** How a list differs from what was known of it. */
export interface ListChange {
  /** How many records more it has, negative for fewer; `null` where not both totals are known. */
  readonly more: bigint | null;
  /** The same for people: `12 more`, `3 fewer`, or `changed` where no number says it. */
  readonly text: string;
}

/**
 * How a list differs from what was known of it, as far as totals and versions of the data say:
 * `null` where they are the same. A token that sees no versions does not learn by this of records
 * that have changed without changing the total.
 */
export function listChange(known: KnownList, now: KnownList): ListChange | null {
  const more = known.total === null || now.total === null ? null : now.total - known.total;
  const isVersioned = known.dataVersion !== null && now.dataVersion !== null;
  const isSame = isVersioned ? known.dataVersion === now.dataVersion : known.total === now.total;
  return isSame ? null : { more, text: changeText(more) };
}

function changeText(more: bigint | null): string {
  if (more === null || more === 0n) return 'changed';
  return more > 0n ? `${groupDigits(more)} more` : `${groupDigits(-more)} fewer`;
}
