import { useLayoutEffect, useState } from 'preact/hooks';

/** Where `/` goes: the first of these that is on the page. */
const SEARCHES = ['.search input', '.tools button', '.models input'];

/** Follows the keys of the whole page, and has the state of the list of them. */
export function useShortcuts() {
  const [isOpen, setOpen] = useState(false);
  // From the first frame on: an effect after it would miss a key.
  useLayoutEffect(() => {
    const follow = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      if (event.key === '?') setOpen(true);
      else if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    addEventListener('keydown', follow);
    return () => removeEventListener('keydown', follow);
  }, []);
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false) };
}

/** Whether a key belongs to what has the focus: a field, or a window over the page. */
function isTaken(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
}

function focusSearch(): boolean {
  const [field] = SEARCHES.flatMap((place) => document.querySelector<HTMLElement>(place) ?? []);
  field?.focus();
  return field !== undefined;
}
