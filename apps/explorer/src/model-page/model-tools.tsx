import type { ModelEntry, RequestError } from '@proj/client';

import { lazyPart } from '../controls/lazy-part.tsx';
import { FilterPanel, type FilterStart } from '../filter/filter-panel.tsx';
import { errorPlace, errorsAt } from '../state/filter/error-place.ts';
import { conditionCount } from '../state/filter/filter-tree.ts';
import type { OpenDialog } from './model-dialogs.tsx';
import { shownAttributes } from '../state/view/view-query.ts';
import { SearchBox } from '../search/search-box.tsx';
import { firstGroups } from '../groups/group-choices.ts';
import { changeView } from '../state/view/view-store.ts';
import type { ViewState } from '../state/view-state.ts';

const ColumnChooser = lazyPart(
  async () => (await import('../columns/column-chooser.tsx')).ColumnChooser,
);

/** A panel over the table. */
export type OpenPanel =
  | { readonly kind: 'columns' }
  | { readonly kind: 'filter'; readonly start: FilterStart };

interface ModelToolsProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
  readonly errors: readonly RequestError[];
  readonly panel: OpenPanel | null;
  readonly onPanel: (panel: OpenPanel | null) => void;
  readonly showsFacets: boolean;
  readonly onFacets: () => void;
  readonly onDialog: (dialog: OpenDialog) => void;
}

/** The buttons and panels that change or export a view. A panel with an error opens by itself. */
export function ModelTools(props: ModelToolsProps) {
  const { model, view, errors, panel, onPanel, showsFacets, onFacets, onDialog } = props;
  const columnErrors = errorsAt(errors, view, 'attributes');
  const hasFilterErrors = errors.some(({ pointer }) =>
    errorPlace(pointer, view).control.startsWith('condition'),
  );
  const showsFilter = panel?.kind === 'filter' || hasFilterErrors;
  const showsColumns = panel?.kind === 'columns' || columnErrors.length > 0;
  const conditions = conditionCount(view.filter);
  const { length: shown } = shownAttributes(view, model);
  const close = () => onPanel(null);
  const toggle = (wanted: OpenPanel) => onPanel(panel?.kind === wanted.kind ? null : wanted);
  return (
    <>
      <div class="tools" role="group" aria-label="View">
        <button
          type="button"
          aria-expanded={showsFilter}
          onClick={() => toggle({ kind: 'filter', start: { attribute: null } })}
        >
          Filter{conditions > 0 && <span class="badge">{conditions}</span>}
        </button>
        <button
          type="button"
          aria-expanded={showsColumns}
          onClick={() => toggle({ kind: 'columns' })}
        >
          Columns{' '}
          <span class="badge">
            {shown}/{model.attributes.length}
          </span>
        </button>
        <button type="button" aria-expanded={showsFacets} onClick={onFacets}>
          Facets
        </button>
        <button
          type="button"
          aria-pressed={view.group !== null}
          onClick={() => changeView({ group: view.group === null ? firstGroups(model) : null })}
        >
          Group by
        </button>
        <SearchBox model={model} view={view} errors={errorsAt(errors, view, 'search')} />
        <span class="gap" />
        <button type="button" onClick={() => onDialog({ kind: 'views' })}>
          Views …
        </button>
        <button type="button" onClick={() => onDialog({ kind: 'copy-as' })}>
          Copy as …
        </button>
        <button type="button" onClick={() => onDialog({ kind: 'export' })}>
          Export …
        </button>
      </div>
      {showsFilter && (
        <FilterPanel
          label="Filter"
          noun="Records"
          model={model}
          view={view}
          errors={errors}
          start={panel?.kind === 'filter' ? panel.start : undefined}
          onApply={(filter) => changeView({ filter })}
          onClose={close}
        />
      )}
      {showsColumns && (
        <ColumnChooser model={model} view={view} errors={columnErrors} onClose={close} />
      )}
    </>
  );
}
