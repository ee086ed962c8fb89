import type { AttributeEntry } from '@proj/client';

import type { Facet } from '../api/facets.ts';
import {
  choosesNull,
  choosesRange,
  chosenValues,
  withNullToggled,
  withRangeToggled,
  withValueToggled,
} from '../state/filter/facet-conditions.ts';
import { operandText } from '../state/filter/operand-value.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';
import { cellText, textOf } from '../values/cell-text.ts';
import { rangeText } from '../values/short-text.ts';
import { FacetNote } from './facet-note.tsx';
import { FacetRow } from './facet-row.tsx';

interface FacetViewProps {
  readonly attribute: AttributeEntry;
  readonly view: ViewState;
  /** Undefined until it was read. */
  readonly facet: Facet | undefined;
  readonly isCounting: boolean;
}

/** The values or ranges of an attribute; each is chosen by a click, and let go by another. */
export function FacetView({ attribute, view: { filter }, facet, isCounting }: FacetViewProps) {
  if (facet === undefined) return <p class="hint">{isCounting ? 'Counting …' : 'Not counted.'}</p>;
  const { name, operators } = attribute;
  const largest = largestCount(facet);
  return (
    <>
      <ul>
        <ValueRows attribute={attribute} facet={facet} filter={filter} largest={largest} />
        <RangeRows attribute={attribute} facet={facet} filter={filter} largest={largest} />
        {facet.nulls > 0n && (
          <FacetRow
            label={<i class="none">NULL</i>}
            count={facet.nulls}
            largest={largest}
            isChosen={choosesNull(filter, name)}
            onToggle={
              operators.includes('is_null')
                ? () => changeView({ filter: withNullToggled(filter, name) })
                : undefined
            }
          />
        )}
      </ul>
      <FacetNote facet={facet} type={attribute.type} />
    </>
  );
}

interface RowsProps {
  readonly attribute: AttributeEntry;
  readonly facet: Facet;
  readonly filter: ViewState['filter'];
  readonly largest: bigint;
}

function ValueRows({ attribute: { name, type, operators }, facet, filter, largest }: RowsProps) {
  const chosen = chosenValues(filter, name);
  const canChoose = operators.includes('eq') && operators.includes('in');
  return facet.values?.map(({ value, count }) => {
    const text = operandText(type, value);
    return (
      <FacetRow
        key={value}
        label={cellText(value, type).shown}
        count={count}
        largest={largest}
        isChosen={chosen.includes(text)}
        onToggle={
          canChoose ? () => changeView({ filter: withValueToggled(filter, name, text) }) : undefined
        }
      />
    );
  });
}

function RangeRows({ attribute: { name, type, operators }, facet, filter, largest }: RowsProps) {
  const canChoose = operators.includes('gte') && operators.includes('lte');
  const last = (facet.bins?.length ?? 0) - 1;
  return facet.bins?.map(({ from, to, count }, index) => {
    const range = { from: textOf(from), to: textOf(to), isLast: index === last };
    return (
      <FacetRow
        key={from}
        label={rangeText(from, to, type)}
        count={count}
        largest={largest}
        isChosen={choosesRange(filter, name, range)}
        onToggle={
          canChoose
            ? () => changeView({ filter: withRangeToggled(filter, name, range) })
            : undefined
        }
      />
    );
  });
}

function largestCount({ values = [], bins = [], nulls }: Facet): bigint {
  return [...values, ...bins].reduce((most, { count }) => (count > most ? count : most), nulls);
}
