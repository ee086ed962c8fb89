import { useLayoutEffect, useState } from 'preact/hooks';

/** Whether the reader can see this page: its tab is the one in front. */
export function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(() => !document.hidden);
  // In the task that looked: an effect after the frame would miss a change between.
  useLayoutEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isVisible;
}
