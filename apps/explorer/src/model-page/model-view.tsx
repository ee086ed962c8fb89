import type { AttributeEntry, ModelEntry } from '@proj/client';
import { ProblemError } from '@proj/client';
import { hasNextPage, pageOffset } from '@proj/paging';
import { useMemo, useState } from 'preact/hooks';

import { ProblemBanner } from '../problems/problem-banner.tsx';
import { WaitingBanner } from '../problems/waiting-banner.tsx';
import { CellBar, type ChosenCell } from '../table/cell-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { CellPosition } from '../table/grid-keys.ts';
import { Pager } from '../table/pager.tsx';
import { type LoadedPage, type PageState, usePage } from '../state/use-page.ts';
import { errorsAt } from '../state/error-place.ts';
import { EmptyNote } from './empty-note.tsx';
import { type OpenDialog, ModelDialogs } from './model-dialogs.tsx';
import { type OpenPanel, ModelTools } from './model-tools.tsx';
import { SortSummary } from './sort-summary.tsx';
import { shownAttributes, viewQuery } from '../state/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView } from '../state/view-store.ts';

interface ModelViewProps {
  readonly model: ModelEntry;
  readonly view: ViewState;
}

/** A model's table with everything around it. */
export function ModelView({ model, view }: ModelViewProps) {
  const query = useMemo(() => viewQuery(view, model), [view, model]);
  const page = usePage(query);
  const [focused, setFocused] = useState<CellPosition | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [panel, setPanel] = useState<OpenPanel | null>(null);
  const attributes = useMemo(
    () => shownAttributes(view, model).map((name) => entryOf(name, model)),
    [view, model],
  );
  const errors = page.error instanceof ProblemError ? page.error.errors : [];
  const cell = focused && page.shown && chosenCell(page.shown, attributes, focused);
  return (
    <main class="model" aria-label={model.name}>
      <header class="model-head">
        <h1>{model.name}</h1>
        <p class="description">{model.description}</p>
      </header>
      <ModelTools
        model={model}
        view={view}
        errors={errors}
        panel={panel}
        onPanel={setPanel}
        onDialog={setDialog}
      />
      <SortSummary view={view} errors={errorsAt(errors, view, 'sort')} />
      <Banners page={page} view={view} />
      <div class="table-frame">
        <DataTable
          caption={`Records of ${model.name}`}
          attributes={attributes}
          page={page.shown}
          isCurrent={page.isCurrent}
          isLoading={page.isLoading}
          sort={view.sort}
          focused={focused}
          onFocus={setFocused}
          onSort={(sort) => changeView({ sort })}
          onOpen={() => setDialog({ kind: 'value' })}
          onFilter={({ name }) => setPanel({ kind: 'filter', start: { attribute: name } })}
          onPicture={(attribute) => setDialog({ kind: 'distribution', attribute })}
          onTurn={(by) => turn(view, page.shown, by)}
        />
        <EmptyNote page={page} view={view} />
      </div>
      <CellBar cell={cell} onOpen={() => setDialog({ kind: 'value' })} />
      <Pager
        view={view}
        shown={page.shown}
        isCurrent={page.isCurrent}
        missing={missingText(page)}
        count={page.count}
        maxSize={model.max_page_size}
        errors={errors}
      />
      <ModelDialogs
        dialog={dialog}
        model={model}
        view={view}
        query={query}
        page={page.shown}
        cell={cell}
        onClose={() => setDialog(null)}
      />
    </main>
  );
}

function Banners({ page, view }: { readonly page: PageState; readonly view: ViewState }) {
  const { waiting, error, isOffline, retry } = page;
  return (
    <>
      {isOffline && (
        <div class="banner waiting" role="status">
          <p>
            You are offline. {page.shown !== null && 'The view stays as it is.'} It loads when the
            connection is back.
          </p>
        </div>
      )}
      {waiting !== null && (
        <WaitingBanner
          key={waiting.failures}
          {...waiting}
          hasView={page.shown !== null}
          onRetry={retry}
        />
      )}
      {error !== null && <ProblemBanner error={error} view={view} onRetry={retry} />}
    </>
  );
}

/** Why the records of the view are not there. */
function missingText({ error, waiting, isOffline }: PageState): string {
  if (error !== null) return 'not loaded';
  return isOffline || waiting !== null ? 'waiting …' : 'loading …';
}

/** Goes to the page before or after, where there is one. */
function turn({ page, size }: ViewState, shown: LoadedPage | null, by: 1 | -1): void {
  if (by === -1 ? page > 1 : hasNext({ page, size }, shown)) changeView({ page: page + by });
}

/** While the page is loading, the one that was shown before it says how many there are. */
function hasNext(place: Pick<ViewState, 'page' | 'size'>, shown: LoadedPage | null): boolean {
  if (shown === null) return false;
  return shown.total === null ? shown.hasNext : hasNextPage(place, shown.total);
}

function chosenCell(
  page: LoadedPage,
  attributes: readonly AttributeEntry[],
  { row, column }: CellPosition,
): ChosenCell | null {
  const attribute = attributes[column];
  const record = page.records[row];
  if (attribute === undefined || record === undefined || record[attribute.name] === undefined)
    return null;
  return { attribute, record, recordNumber: pageOffset(page.query) + BigInt(row + 1) };
}

/**
 * The catalogue's entry; for a name that it lacks one without powers, so that the service's own
 * words about it are shown.
 */
function entryOf(name: string, model: ModelEntry): AttributeEntry {
  const unknown = {
    name,
    type: 'other',
    nullable: true,
    description: null,
    operators: [],
    sortable: false,
  };
  return model.attributes.find((attribute) => attribute.name === name) ?? unknown;
}
