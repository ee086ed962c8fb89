import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface PanelOptions {
  /** Whether it lies over the page on a small screen, and takes the focus there. */
  readonly covers?: boolean;
  /** Finds another control than the one that opened it, for the focus to return to. */
  readonly findReturn?: () => HTMLElement | null;
}

/**
 * What every panel over or beside the table has: Escape closes it, and when it closes while it has
 * the focus, that returns to what had it before. `panel` is to be spread on it.
 *
 * @param onClose makes the panel go
 */
export function usePanel<Panel extends HTMLElement>(
  onClose: () => void,
  { covers = false, findReturn }: PanelOptions = {},
) {
  const ref = useRef<Panel>(null);
  const [opener] = useState(() => document.activeElement);
  const isClosing = useRef(false);
  // Before anything else happens: what is pressed next is meant for the panel.
  useLayoutEffect(() => {
    const { current: panel } = ref;
    if (covers && matchMedia('(max-width: 700px)').matches) panel?.focus();
    return () => {
      // The focus returns only if the panel was closed by itself, not with the view of its model.
      if (!isClosing.current || panel?.contains(document.activeElement) !== true) return;
      const target = findReturn?.() ?? opener;
      // What the panel covers takes no focus until it is gone.
      if (target instanceof HTMLElement) queueMicrotask(() => target.focus());
    };
  }, []);
  const close = () => {
    isClosing.current = true;
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // A panel within a panel closes alone.
    event.stopPropagation();
    close();
  };
  return { panel: { ref, onKeyDown }, close };
}
