import { groupDigits } from '@proj/contract';

import type { PageTotal } from '../options/query.ts';

export interface KnownList {
  readonly total: PageTotal;
  readonly dataVersion: string | null;
}

export interface ListChange {
  /** Negative for fewer; `null` where a total is unknown. */
  readonly more: bigint | null;
  /** For people: `12 more`, `3 fewer`, or `changed` without a number. */
  readonly text: string;
}

/** `null` for equal totals and data versions; a token without versions only sees totals. */
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
