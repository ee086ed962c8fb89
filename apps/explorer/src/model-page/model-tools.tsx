import type { ModelEntry, RequestError } from '@proj/client';
import { useState } from 'preact/hooks';

import { ColumnChooser } from '../columns/column-chooser.tsx';
import { FilterPanel } from '../filter/filter-panel.tsx';
import { errorPlace, errorsAt } from '../state/error-place.ts';
import type { OpenDialog } from './model-dialogs.tsx';
import { shownAttributes } from '../state/view-query.ts';
import type { ViewState } from '../state/view-state.ts';

interface ModelToolsProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** The buttons and panels that change or export a view. A panel with an error opens by itself. */
export function ModelTools({ model, view, errors, onDialog }: ModelToolsProps) {
  const [panel, setPanel] = useState<'columns' | 'filter' | null>(null);
  const columnErrors = errorsAt(errors, view, 'attributes');
  const hasFilterErrors = errors.some(({ pointer }) =>
    errorPlace(pointer, view).control.startsWith('condition'),
  );
  const toggle = (name: 'columns' | 'filter') => setPanel(panel === name ? null : name);
  const showsFilter = panel === 'filter' || hasFilterErrors;
  const showsColumns = panel === 'columns' || columnErrors.length > 0;
  const { length: shown } = shownAttributes(view, model);
  return (
    <>
      <div class="tools" role="group" aria-label="View">
        <button type="button" aria-expanded={showsFilter} onClick={() => toggle('filter')}>
          Filter{view.conditions.length > 0 && <span class="badge">{view.conditions.length}</span>}
        </button>
        <button type="button" aria-expanded={showsColumns} onClick={() => toggle('columns')}>
          Columns{' '}
          <span class="badge">
            {shown}/{model.attributes.length}
          </span>
        </button>
        <span class="gap" />
        <button type="button" onClick={() => onDialog({ kind: 'copy-as' })}>
          Copy as …
        </button>
        <button type="button" onClick={() => onDialog({ kind: 'export' })}>
          Export …
        </button>
      </div>
      {showsFilter && <FilterPanel model={model} view={view} errors={errors} />}
      {showsColumns && <ColumnChooser model={model} view={view} errors={columnErrors} />}
    </>
  );
}
