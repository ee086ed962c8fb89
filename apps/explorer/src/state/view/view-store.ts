import { computed, signal } from '@preact/signals';

import { firstSearch } from '../../session/session.ts';
import { FIRST_VIEW, type ViewState } from '../view-state.ts';
import { type UnreadablePart, viewFromSearch, viewToSearch } from './view-url.ts';

const reading = signal(viewFromSearch(firstSearch));
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
  showView({ ...view.value, page: FIRST_VIEW.page, record: null, seeks: false, ...change });
}

/**
 * Changes the view without a step in the history of the browser. Since the reader may not have
 * asked for it, what could not be read stays named.
 */
export function replaceView(change: Partial<ViewState>): void {
  const next = { ...view.value, ...change };
  history.replaceState(null, '', addressOf(next));
  reading.value = { view: next, unreadable: unreadable.value };
}

/**
 * Goes to the address with another text for these parts, or without them; what else could not be
 * read stays in it.
 */
export function changeAddressParts(changed: readonly UnreadablePart[], text: string | null): void {
  const parts = [...new URLSearchParams(location.search)].flatMap(([name, old], index) => {
    // The address may have been written anew since.
    const isChanged = changed.some(
      (part) => part.place === index && part.name === name && part.text === old,
    );
    if (!isChanged) return [[name, old]];
    return text === null ? [] : [[name, text]];
  });
  const search = new URLSearchParams(parts).toString();
  history.pushState(null, '', search === '' ? location.pathname : `?${search}`);
  reading.value = viewFromSearch(search);
}

/** The first view of a model; the page size stays. */
export function firstView(model: string): ViewState {
  return { ...FIRST_VIEW, model, size: view.value.size };
}

/** The address of a view, as a link has it. */
export function viewHref(target: ViewState): string {
  const search = viewToSearch(target);
  return search === '' ? '.' : `?${search}`;
}

/** Goes to a view, which becomes the address. */
export function showView(next: ViewState): void {
  history.pushState(null, '', addressOf(next));
  reading.value = { view: next, unreadable: [] };
}

function addressOf(next: ViewState): string {
  const search = viewToSearch(next);
  return search === '' ? location.pathname : `${location.pathname}?${search}`;
}
