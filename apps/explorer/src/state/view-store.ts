import { computed, signal } from '@preact/signals';

import { FIRST_VIEW, type ViewState } from './view-state.ts';
import { viewFromSearch, viewToSearch } from './view-url.ts';

const reading = signal(viewFromSearch(location.search));
addEventListener('popstate', () => {
  reading.value = viewFromSearch(location.search);
});

/** The view that the address names. */
export const view = computed(() => reading.value.view);

/** The parts of the address that could not be read. */
export const unreadable = computed(() => reading.value.unreadable);

/**
 * Goes to a changed view, which becomes the address. Unless a page is named it is the first one.
 */
export function changeView(change: Partial<ViewState>): void {
  showView({ ...view.value, page: FIRST_VIEW.page, ...change });
}

/** Goes to the first view of a model; the page size stays. */
export function openModel(model: string): void {
  showView({ ...FIRST_VIEW, model, size: view.value.size });
}

/** The address of the first view of a model. */
export function modelHref(model: string): string {
  return `?${viewToSearch({ ...FIRST_VIEW, model, size: view.value.size })}`;
}

function showView(next: ViewState): void {
  history.pushState(null, '', `${location.pathname}?${viewToSearch(next)}`);
  reading.value = { view: next, unreadable: [] };
}
