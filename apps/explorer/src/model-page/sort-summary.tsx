import type { RequestError } from '@proj/client';

import { ErrorList } from '../controls/error-list.tsx';
import type { SortTerm, ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;

interface SortSummaryProps {
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
}

/** In which order the records are, each term with a button that removes it. */
export function SortSummary({ view: { sort }, errors }: SortSummaryProps) {
  if (sort.length === 0) return null;
  return (
    <div class="sort-summary" role="group" aria-label="Order">
      <span>Sorted by</span>
      {sort.map((term, index) => (
        <button
          key={term.attribute}
          type="button"
          class="chip"
          aria-label={`${termText(term)}. Remove it from the order`}
          aria-invalid={errors.length > 0}
          onClick={() => changeView({ sort: sort.toSpliced(index, 1) })}
        >
          {term.attribute} {term.direction === 'asc' ? '▲' : '▼'}
          {term.nulls !== undefined && ` NULL ${term.nulls}`} ✕
        </button>
      ))}
      <ErrorList errors={errors} />
    </div>
  );
}

function termText({ attribute, direction, nulls }: SortTerm): string {
  const term = `${attribute}, ${DIRECTIONS[direction]}`;
  return nulls === undefined ? term : `${term}, NULL ${nulls}`;
}
