import type { ModelEntry, RequestError } from '@proj/client';
import { FILTER_LIMITS } from '@proj/contract';
import { useId } from 'preact/hooks';

import { useDraft } from '../controls/before-next-event.ts';
import { ErrorList } from '../controls/error-list.tsx';
import { conditionCount } from '../state/filter/filter-tree.ts';
import { searchedAttributes } from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view/view-store.ts';

interface SearchBoxProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
}

/**
 * Searches all text attributes. Where they are more than a filter may compare nothing is searched:
 * a search that leaves some of them out would look like one without a hit.
 */
export function SearchBox({ model, view, errors }: SearchBoxProps) {
  const { search } = view;
  const [text, setText] = useDraft(search);
  const id = useId();
  const { length: searched } = searchedAttributes(model);
  const free = FILTER_LIMITS.leaves - conditionCount(view.filter);
  const refusal = text === '' || searched <= free ? null : tooMany(searched, free);
  if (searched === 0 && search === '') return null;
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (refusal === null && text !== search) changeView({ search: text });
      }}
    >
      <input
        type="search"
        aria-label="Search records"
        title={`Enter searches ${searched} text attributes`}
        placeholder={`Search ${searched} text ${searched === 1 ? 'attribute' : 'attributes'}`}
        aria-invalid={refusal !== null || errors.length > 0}
        aria-describedby={id}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          if (value === '' && search !== '') changeView({ search: '' });
        }}
      />
      <span id={id} class="error-note" role="alert">
        {refusal}
      </span>
      <ErrorList errors={errors} />
    </form>
  );
}

function tooMany(searched: number, free: number): string {
  return (
    `A search compares ${searched} text attributes, and this filter has room for ${free} ` +
    'comparisons more. Filter by the attributes that matter.'
  );
}
