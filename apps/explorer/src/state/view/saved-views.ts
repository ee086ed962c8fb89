import { browserStore, isRecord } from '../browser-store.ts';
import type { ViewState } from '../view-state.ts';
import { viewFromSearch, viewToSearch } from './view-url.ts';

/** A view that the reader gave a name. */
export interface SavedView {
  readonly name: string;
  readonly model: string | null;
  /** As it was stored: the page that opens it says what it cannot read. */
  readonly search: string;
}

/** Names and addresses; they hold no token. */
const stored = browserStore<readonly StoredView[]>('views', [], (parsed) =>
  Array.isArray(parsed) ? parsed.filter(isStored) : undefined,
);

interface StoredView {
  readonly name: string;
  readonly search: string;
}

/** The views that this browser keeps, by name; of one model, or of all. */
export function savedViews(model?: string): readonly SavedView[] {
  return stored.value
    .map(({ name, search }) => ({ name, search, model: modelOf(search) }))
    .filter((saved) => model === undefined || saved.model === model)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Keeps a view under a name, in place of one of the same model that had it. */
export function saveView(name: string, view: ViewState): void {
  removeView({ name, model: view.model });
  const search = viewToSearch({ ...view, page: 1, record: null });
  stored.value = [...stored.value, { name, search }];
}

/** Forgets a view. */
export function removeView({ name, model }: Pick<SavedView, 'name' | 'model'>): void {
  stored.value = stored.value.filter(
    (entry) => entry.name !== name || modelOf(entry.search) !== model,
  );
}

function modelOf(search: string): string | null {
  return viewFromSearch(search).view.model;
}

function isStored(value: unknown): value is StoredView {
  return (
    isRecord(value) && typeof value['name'] === 'string' && typeof value['search'] === 'string'
  );
}
