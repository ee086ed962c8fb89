import { groupDigits } from '@proj/contract';

import type { Facet } from '../api/facets.ts';
import { cellText } from '../values/cell-text.ts';

interface MeasuresProps {
  readonly facet: Facet;
  readonly type: string;
}

/** The sum, the average, the least and the greatest value of a list, with every digit. */
export function Measures({ facet, type }: MeasuresProps) {
  const { sum, average, min, max, distinct, nulls } = facet;
  const measures = [
    ['Sum', sum],
    ['Average', average],
    ['Least', min && cellText(min, type).shown],
    ['Greatest', max && cellText(max, type).shown],
    ['Values', distinct === undefined ? null : groupDigits(distinct)],
    ['NULL', nulls > 0n ? groupDigits(nulls) : null],
  ] as const;
  return (
    <dl class="measures">
      {measures.map(
        ([label, text]) =>
          text !== null && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
