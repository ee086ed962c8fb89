import { groupDigits } from '@proj/contract';

import type { Facet } from '../api/facets.ts';
import { shortNumber, shortText } from '../values/short-text.ts';
import { textOf } from '../values/cell-text.ts';

interface FacetNoteProps {
  readonly facet: Facet;
  readonly type: string;
}

/** What is not in the rows: how many values more, or least, greatest, average and sum. */
export function FacetNote({ facet, type }: FacetNoteProps) {
  const { values, distinct = 0n, sum, average, min, max } = facet;
  if (values !== undefined) {
    if (values.length === 0) return <p class="hint">No values.</p>;
    const others = distinct - BigInt(values.length);
    return others > 0n ? <p class="hint">{groupDigits(others)} values more</p> : null;
  }
  const parts = [
    { label: 'least', exact: min && textOf(min), short: min && shortText(min, type) },
    { label: 'greatest', exact: max && textOf(max), short: max && shortText(max, type) },
    { label: 'average', exact: average, short: average && shortNumber(average) },
    { label: 'sum', exact: sum, short: sum && shortNumber(sum) },
  ];
  return (
    <dl class="facet-note">
      {parts.map(
        ({ label, exact, short }) =>
          short !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd title={exact ?? undefined}>{short}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
