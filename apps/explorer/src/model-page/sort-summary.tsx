import type { RequestFault } from '@proj/client';

import { FaultList } from '../controls/error-list.tsx';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view-store.ts';

interface SortSummaryProps {
  readonly view: ViewState;
  readonly faults: readonly RequestFault[];
}

/** In which order the rows are, each term with a way to take it out. */
export function SortSummary({ view: { sort }, faults }: SortSummaryProps) {
  if (sort.length === 0) return null;
  return (
    <div class="sort-summary" role="group" aria-label="Order">
      <span>Sorted by</span>
      {sort.map((term, index) => (
        <button
          key={term.attribute}
          type="button"
          class="chip"
          aria-label={`${term.attribute}, ${term.direction === 'asc' ? 'ascending' : 'descending'}. Take it out of the order`}
          aria-invalid={faults.length > 0}
          onClick={() => changeView({ sort: sort.toSpliced(index, 1) })}
        >
          {term.attribute} {term.direction === 'asc' ? '▲' : '▼'} ✕
        </button>
      ))}
      <FaultList faults={faults} />
    </div>
  );
}
