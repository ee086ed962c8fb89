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
  showView(search);
}

/** The first view of a model; the page size stays. */
export function firstView(model: string): ViewState {
  return { ...FIRST_VIEW, model, size: view.value.size };
}

/** A view, or the query string of one, of which parts may be unreadable. */
export type ViewTarget = ViewState | string;

/** The address of a view, as a link has it. */
export function viewHref(target: ViewTarget): string {
  const search = searchOf(target);
  return search === '' ? '.' : `?${search}`;
}

/** Goes to a view, which becomes the address. */
export function showView(target: ViewTarget): void {
  history.pushState(null, '', addressOf(target));
  reading.value =
    typeof target === 'string' ? viewFromSearch(target) : { view: target, unreadable: [] };
}

function addressOf(target: ViewTarget): string {
  const search = searchOf(target);
  return search === '' ? location.pathname : `${location.pathname}?${search}`;
}

function searchOf(target: ViewTarget): string {
  return typeof target === 'string' ? target : viewToSearch(target);
}
