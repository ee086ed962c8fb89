import { ModelHead } from './model-head.tsx';
import type { AttributeEntry, ModelEntry } from '@proj/client';
import { attributeAt, type LinkedModel, withRelated } from '@proj/contract';
import { ProblemError } from '@proj/client';
import { hasNextPage, pageOffset } from '@proj/paging';
import { useMemo, useState } from 'preact/hooks';

import { lazyPart } from '../controls/lazy-part.tsx';
import { layoutOf, pinnedFirst } from '../state/column-layout.ts';
import { showsFacets } from '../state/open-facets.ts';
import { labelsOf } from '../state/labels.ts';
import { errorsAt } from '../state/filter/error-place.ts';
import { keyTexts, linksOfCell } from '../state/filter/references.ts';
import { useListChange } from '../state/use-list-change.ts';
import { type LoadedPage, type PageState, usePage } from '../state/use-page.ts';
import { useSeek } from '../state/use-seek.ts';
import { groupsQuery } from '../state/view/groups-query.ts';
import {
  requestedRelated,
  shownAttributes,
  viewQuery,
  withKeys,
  withLabels,
} from '../state/view/view-query.ts';
import type { ViewState } from '../state/view-state.ts';
import { changeView, replaceView, showView } from '../state/view/view-store.ts';
import { CellBar, type ChosenCell } from '../table/cell-bar.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { CellPosition } from '../table/grid-keys.ts';
import { Pager } from '../table/pager.tsx';
import { areSameTexts } from '../values/same-texts.ts';
import { CellItems } from './cell-items.tsx';
import { ChangeNote } from './change-note.tsx';
import { columnActions } from './column-actions.ts';
import { EmptyNote } from './empty-note.tsx';
import { ModelBanners } from './model-banners.tsx';
import { ModelDialogs, type OpenDialog } from './model-dialogs.tsx';
import { ModelTools, type OpenPanel } from './model-tools.tsx';
import { SortSummary } from './sort-summary.tsx';

const GroupsView = lazyPart(async () => (await import('../groups/groups-view.tsx')).GroupsView);
const FacetsPanel = lazyPart(async () => (await import('../facets/facets-panel.tsx')).FacetsPanel);
const RecordPanel = lazyPart(async () => (await import('../record/record-panel.tsx')).RecordPanel);

interface ModelViewProps {
  readonly models: readonly ModelEntry[];
  readonly model: LinkedModel;
  readonly view: ViewState;
}

/** A model's table with everything around it. */
export function ModelView({ models, model: own, view }: ModelViewProps) {
  const model = useMemo(() => withRelated(own, requestedRelated(view, own).related), [own, view]);
  const query = useMemo(() => viewQuery(view, model), [view, model]);
  const counted = new Set(view.related.map(({ related }) => related)).size;
  const labels = useMemo(() => labelsOf(query.attributes, model, counted), [query, model]);
  const references = useMemo(() => referencesOf(model), [model]);
  const keyed = useMemo(() => withLabels(withKeys(query, model), labels), [query, model, labels]);
  const isElsewhere = useSeek(view, keyed, model);
  const page = usePage(keyed, !view.seeks && view.group === null);
  const change = useListChange(keyed, page, !view.seeks && view.group === null);
  const [focused, setFocused] = useState<CellPosition | null>(null);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [panel, setPanel] = useState<OpenPanel | null>(null);
  const layout = layoutOf(model.name);
  const attributes = useMemo(() => columnsOf(view, model, layout.pinned), [view, model, layout]);
  const errors = page.error instanceof ProblemError ? page.error.errors : [];
  const cell = focused && page.shown && chosenCell(page.shown, attributes, focused);
  const keyAt = (row: number) => keyTexts(model, page.shown?.records[row] ?? {});
  const openRecord = (row: number) => changeView({ record: keyAt(row), page: view.page });
  const closeRecord = () => changeView({ record: null, page: view.page });
  const focus = (position: CellPosition) => {
    setFocused(position);
    const record = keyAt(position.row);
    if (view.record !== null && record !== null && !areSameTexts(record, view.record))
      replaceView({ record, seeks: false });
  };
  const linksOf = ({ attribute, record }: ChosenCell) => linksOfCell(model, attribute.name, record);
  const open = (position: CellPosition) => {
    const opened = page.shown && chosenCell(page.shown, attributes, position);
    const link =
      opened && linksOf(opened).find(({ attributes: of }) => of.includes(opened.attribute.name));
    if (!link) setDialog({ kind: 'value' });
    else showView(link.view);
  };
  const cellItems = (position: CellPosition) => {
    const at = page.shown && chosenCell(page.shown, attributes, position);
    return at && <CellItems view={view} cell={at} links={linksOf(at)} />;
  };
  return (
    <main class="model" aria-label={model.name} tabIndex={-1}>
      <ModelHead model={model}>
        <ChangeNote change={change} />
      </ModelHead>
      <ModelTools
        model={model}
        view={view}
        errors={errors}
        panel={panel}
        onPanel={setPanel}
        showsFacets={showsFacets.value}
        onFacets={toggleFacets}
        onDialog={setDialog}
      />
      <SortSummary view={view} errors={errorsAt(errors, view, 'sort')} />
      <ModelBanners page={page} view={view} />
      {view.group !== null && (
        <GroupsView model={model} view={view} group={view.group} onClose={closeGroups} />
      )}
      <div class="stage" hidden={view.group !== null}>
        {showsFacets.value && <FacetsPanel model={model} view={view} onClose={toggleFacets} />}
        <div class="table-frame">
          <DataTable
            caption={`Records of ${model.name}`}
            attributes={attributes}
            labels={labels}
            references={references}
            layout={layout}
            page={page.shown}
            isCurrent={page.isCurrent}
            isLoading={page.isLoading}
            sort={view.sort}
            focused={focused}
            openRow={rowOf(page.shown, model, view.record)}
            actions={columnActions({ model, view, onPanel: setPanel, onDialog: setDialog })}
            onFocus={focus}
            onOpen={open}
            cellItems={cellItems}
            onRecord={model.key.length > 0 ? openRecord : undefined}
            onTurn={(by) => turn(view, page.shown, by)}
          />
          <EmptyNote page={page} view={view} />
        </div>
        {view.record !== null && (
          <RecordPanel
            models={models}
            model={own}
            view={view}
            recordKey={view.record}
            isElsewhere={isElsewhere}
            onClose={closeRecord}
          />
        )}
      </div>
      {view.group === null && (
        <>
          <CellBar
            cell={cell}
            links={cell === null ? [] : linksOf(cell)}
            onOpen={() => setDialog({ kind: 'value' })}
            onRecord={focused && model.key.length > 0 ? () => openRecord(focused.row) : undefined}
          />
          <Pager
            view={view}
            shown={page.shown}
            isCurrent={page.isCurrent}
            missing={missingText(page)}
            count={page.count}
            maxSize={model.max_page_size}
            errors={errors}
          />
        </>
      )}
      <ModelDialogs
        dialog={dialog}
        model={model}
        view={view}
        query={view.group === null ? query : groupsQuery(view, model, view.group)}
        page={page.shown}
        cell={cell}
        // It hears of the end of its window later, when another one may be open.
        onClose={() => setDialog((shown) => (shown === dialog ? null : shown))}
      />
    </main>
  );
}

function closeGroups(): void {
  changeView({ group: null });
}

function toggleFacets(): void {
  showsFacets.value = !showsFacets.value;
}

/** The models whose keys attributes hold, as far as the token sees them. */
function referencesOf({ references = [] }: ModelEntry): ReadonlyMap<string, string> {
  return new Map(
    references.flatMap(({ attributes, model }) => attributes.map((name) => [name, model] as const)),
  );
}

/** Why the records of the view are not there. */
function missingText({ error, waiting, isOffline }: PageState): string {
  if (error !== null) return 'not loaded';
  return isOffline || waiting !== null ? 'waiting …' : 'loading …';
}

/** The row of a record; `null` where the page does not have it. */
function rowOf(
  page: LoadedPage | null,
  model: ModelEntry,
  record: readonly string[] | null,
): number | null {
  if (page === null || record === null) return null;
  const row = page.records.findIndex((entry) => {
    const key = keyTexts(model, entry);
    return key !== null && areSameTexts(key, record);
  });
  return row === -1 ? null : row;
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

/** The attributes in the order of their columns: those that are pinned first. */
function columnsOf(
  view: ViewState,
  model: ModelEntry,
  pinned: readonly string[],
): readonly AttributeEntry[] {
  return pinnedFirst(
    shownAttributes(view, model).map((name) => entryOf(name, model)),
    pinned,
  );
}

/**
 * The entry of an attribute in the catalogue. For an unknown name an entry that cannot be filtered
 * or sorted: the name is sent in the request, and the error of the service is shown.
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
  return attributeAt(name, model) ?? unknown;
}
