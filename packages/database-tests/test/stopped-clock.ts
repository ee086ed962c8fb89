import { vi } from 'vitest';

/** Stops the clock of this process, which a test moves from then on; vitest restores it. */
export function stopClock(): void {
  const now = performance.now();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  vi.advanceTimersByTime(now);
}
