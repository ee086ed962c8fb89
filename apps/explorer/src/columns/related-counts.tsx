import type { RequestError } from '@proj/client';
import { inversesOf, type LinkedModel } from '@proj/contract';
import { useState } from 'preact/hooks';

import { FilterPanel, type FilterStart } from '../filter/filter-panel.tsx';
import { computeChoices, computeText } from '../groups/group-choices.ts';
import { conditionCount } from '../state/filter/filter-tree.ts';
import type { RelatedTerm, ViewState } from '../state/view-state.ts';
import {
  hasRoomForRelated,
  relatedTerms,
  withoutRelatedTerm,
  withRelatedFilter,
  withRelatedTerm,
} from '../state/view/related-terms.ts';
import { changeView } from '../state/view/view-store.ts';

interface RelatedCountsProps {
  readonly model: LinkedModel;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
}

/** Counts and sums of the records that refer to each record, as columns. */
export function RelatedCounts(props: RelatedCountsProps) {
  return [...inversesOf(props.model)].map(([inverse, referring]) => (
    <CountsOfModel key={inverse} inverse={inverse} referring={referring} {...props} />
  ));
}

interface CountsOfModelProps extends RelatedCountsProps {
  readonly inverse: string;
  readonly referring: LinkedModel;
}

function CountsOfModel(props: CountsOfModelProps) {
  const { inverse, referring, view, errors } = props;
  const [isOpen, setOpen] = useState(false);
  const [edited, setEdited] = useState<EditedFilter | null>(null);
  const index = view.related.findIndex(({ name }) => name === edited?.name);
  const term = view.related[index];
  return (
    <details
      class="related"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      aria-label={`Counts of ${inverse}`}
    >
      <summary>
        {inverse} <span class="type">← {referring.name}: counted, summed up</span>
      </summary>
      {isOpen && <CountList edited={edited} onFilter={setEdited} {...props} />}
      {isOpen && edited !== null && term !== undefined && (
        <FilterPanel
          key={edited.name}
          label={`Filter of ${edited.name}`}
          noun="Records"
          model={referring}
          view={{ filter: term.filter, search: '' }}
          errors={errorsOf(errors, index)}
          start={edited.start}
          onApply={(filter) => changeView(withRelatedFilter(view, term, filter))}
          onClose={() => setEdited(null)}
        />
      )}
    </details>
  );
}

interface EditedFilter {
  /** That of the term. */
  readonly name: string;
  readonly start: FilterStart;
}

interface CountListProps extends Omit<CountsOfModelProps, 'errors'> {
  readonly edited: EditedFilter | null;
  readonly onFilter: (edited: EditedFilter | null) => void;
}

/** Beside terms with filters, each can be computed of all records too. */
function CountList({ inverse, referring, model, view, edited, onFilter }: CountListProps) {
  const rows = computeChoices(referring)
    .flatMap(({ choices }) => choices)
    .flatMap((choice) => {
      const terms = relatedTerms(view, inverse, choice);
      const hasWhole = terms.some(({ filter }) => filter.parts.length === 0);
      return [...terms, ...(hasWhole ? [] : [undefined])].map((term, index) => {
        return { choice, term, key: `${computeText(choice)} ${index}` };
      });
    });
  return (
    <ul class="columns">
      {rows.map(({ choice, term, key }) => (
        <li key={key}>
          <label class="check">
            <input
              type="checkbox"
              checked={term !== undefined}
              disabled={term === undefined && !hasRoomForRelated(view)}
              onChange={() =>
                changeView(
                  term === undefined
                    ? withRelatedTerm(view, model, { related: inverse, ...choice })
                    : withoutRelatedTerm(view, term),
                )
              }
            />
            <span class="name">{computeText(choice)}</span>
            {term && <span class="type">{term.name}</span>}
          </label>
          {term && (
            <FilterButton term={term} isOpen={edited?.name === term.name} onFilter={onFilter} />
          )}
        </li>
      ))}
    </ul>
  );
}

interface FilterButtonProps extends Pick<CountListProps, 'onFilter'> {
  readonly term: RelatedTerm;
  readonly isOpen: boolean;
}

function FilterButton({ term: { name, filter }, isOpen, onFilter }: FilterButtonProps) {
  const conditions = conditionCount(filter);
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={isOpen}
      onClick={() => onFilter(isOpen ? null : { name, start: { attribute: null } })}
    >
      Filter<span class="sr-only"> of {name}</span>
      {conditions > 0 && <span class="badge">{conditions}</span>}
    </button>
  );
}

/** The errors of a filter, as if it were that of a list. */
function errorsOf(errors: readonly RequestError[], index: number): readonly RequestError[] {
  const place = `/query_related/${index}/filter`;
  return errors
    .filter(({ pointer }) => `${pointer}/`.startsWith(`${place}/`))
    .map((error) => ({ ...error, pointer: `/query_filter${error.pointer.slice(place.length)}` }));
}
