import { vi } from 'vitest';

/** From now on, time passes for the limits of queries when {@link pass} says so. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

/** Has time pass that was stopped. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}
