import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * What every panel over or beside the table has: Escape closes it, and when it closes while it has
 * the focus, that returns to what had it before. `panel` is to be spread on it.
 *
 * @param onClose makes the panel go
 * @param findReturn finds another control that the focus returns to
 */
export function usePanel<Panel extends HTMLElement>(
  onClose: () => void,
  findReturn?: () => HTMLElement | null,
) {
  const ref = useRef<Panel>(null);
  const [opener] = useState(() => document.activeElement);
  const isClosing = useRef(false);
  useEffect(() => {
    const { current: panel } = ref;
    return () => {
      // A panel that goes with its model gives nothing back.
      if (!isClosing.current || panel?.contains(document.activeElement) !== true) return;
      const target = findReturn?.() ?? opener;
      if (target instanceof HTMLElement) target.focus();
    };
  }, []);
  const close = () => {
    isClosing.current = true;
    onClose();
  };
  const onKeyDown = ({ key, isComposing }: KeyboardEvent) => {
    if (key === 'Escape' && !isComposing) close();
  };
  return { panel: { ref, onKeyDown }, close };
}
