import { inversesOf, type LinkedModel } from '@proj/contract';
import { useState } from 'preact/hooks';

import { computeChoices, computeText } from '../groups/group-choices.ts';
import type { ViewState } from '../state/view-state.ts';
import {
  findRelated,
  hasRoomForRelated,
  withoutRelatedTerm,
  withRelatedTerm,
} from '../state/view/related-terms.ts';
import { changeView } from '../state/view/view-store.ts';

interface RelatedCountsProps {
  readonly model: LinkedModel;
  readonly view: ViewState;
}

/** Counts and sums of the records that refer to each record, as columns. */
export function RelatedCounts({ model, view }: RelatedCountsProps) {
  return [...inversesOf(model)].map(([inverse, referring]) => (
    <CountsOfModel
      key={inverse}
      inverse={inverse}
      referring={referring}
      model={model}
      view={view}
    />
  ));
}

interface CountsOfModelProps extends RelatedCountsProps {
  readonly inverse: string;
  readonly referring: LinkedModel;
}

function CountsOfModel({ inverse, referring, model, view }: CountsOfModelProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="related"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      aria-label={`Counts of ${inverse}`}
    >
      <summary>
        {inverse} <span class="type">← {referring.name}: counted, summed up</span>
      </summary>
      {isOpen && (
        <ul class="columns">
          {computeChoices(referring)
            .flatMap(({ choices }) => choices)
            .map((choice) => {
              const term = findRelated(view, inverse, choice);
              const toggle = () =>
                changeView(
                  term === undefined
                    ? withRelatedTerm(view, model, { related: inverse, ...choice })
                    : withoutRelatedTerm(view, term),
                );
              const text = computeText(choice);
              return (
                <li key={text}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={term !== undefined}
                      disabled={term === undefined && !hasRoomForRelated(view)}
                      onChange={toggle}
                    />
                    <span class="name">{text}</span>
                    {term && <span class="type">{term.name}</span>}
                  </label>
                </li>
              );
            })}
        </ul>
      )}
    </details>
  );
}
