import type { ModelEntry, RequestError } from '@proj/client';
import { useEffect, useState } from 'preact/hooks';

import { ErrorList } from '../controls/error-list.tsx';
import { conditionErrors, errorsAt } from '../state/error-place.ts';
import type { Condition, ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view-store.ts';
import { ConditionRow } from './condition-row.tsx';
import { startCondition } from './start-condition.ts';

interface FilterPanelProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
}

/**
 * The conditions of the view. They are a draft until they are applied, with the button or with
 * Enter.
 */
export function FilterPanel({ model, view, errors }: FilterPanelProps) {
  const { conditions } = view;
  const [draft, setDraft] = useState<readonly Condition[]>(conditions);
  useEffect(() => setDraft(conditions), [conditions]);
  const isApplied = JSON.stringify(draft) === JSON.stringify(conditions);
  const first = model.attributes.find(({ operators }) => operators.length > 0)?.name;
  const removeAt = (index: number) => {
    setDraft(draft.toSpliced(index, 1));
    if (isApplied) changeView({ conditions: draft.toSpliced(index, 1) });
  };
  return (
    <form
      class="panel"
      aria-label="Filter"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        changeView({ conditions: draft });
      }}
    >
      <ErrorList errors={errorsAt(errors, view, 'conditions')} />
      <ol class="conditions">
        {draft.map((condition, index) => (
          <ConditionRow
            key={index}
            index={index}
            condition={condition}
            model={model}
            view={view}
            errors={isApplied ? conditionErrors(errors, view, index) : []}
            onChange={(changed) => setDraft(draft.with(index, changed))}
            onRemove={() => removeAt(index)}
          />
        ))}
      </ol>
      <FilterActions
        view={view}
        isApplied={isApplied}
        onAdd={
          first === undefined ? null : () => setDraft([...draft, startCondition(model, first)])
        }
      />
    </form>
  );
}

interface FilterActionsProps {
  readonly view: ViewState;
  readonly isApplied: boolean;
  /** `null` where the model has no attribute to filter on. */
  readonly onAdd: (() => void) | null;
}

function FilterActions({ view: { conditions, match }, isApplied, onAdd }: FilterActionsProps) {
  return (
    <div class="row">
      <button type="button" disabled={onAdd === null} onClick={() => onAdd?.()}>
        Add a condition
      </button>
      <label>
        Records meet{' '}
        <select
          value={match}
          onChange={(event) =>
            changeView({ match: event.currentTarget.value === 'any' ? 'any' : 'all' })
          }
        >
          <option value="all">all</option>
          <option value="any">any</option>
        </select>{' '}
        of them
      </label>
      <button type="submit" class="primary" disabled={isApplied}>
        Apply
      </button>
      <button
        type="button"
        disabled={conditions.length === 0}
        onClick={() => changeView({ conditions: [] })}
      >
        Clear
      </button>
    </div>
  );
}
