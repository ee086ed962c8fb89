import { setTimeout as sleep } from 'node:timers/promises';

import { usageOf } from './usage.ts';

const LOOK_MS = 60;

/** Below this much processor time in one look a process is at rest. */
const RESTING_SECONDS = 0.015;

/**
 * Waits until processes rest: what an earlier subject left unfinished, or what a subject prepares
 * in the background, must not be counted against the next one. Gives up after a time, in
 * milliseconds, because a write load never rests.
 */
export async function untilQuiet(
  pids: readonly (number | undefined)[],
  patienceMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  let before = cpuSeconds(pids);
  for (let rests = 0; rests < 2 && performance.now() < deadline;) {
    await sleep(LOOK_MS);
    const now = cpuSeconds(pids);
    rests = now - before < RESTING_SECONDS ? rests + 1 : 0;
    before = now;
  }
}

function cpuSeconds(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid = 0) => sum + (usageOf(pid)?.cpuSeconds ?? 0), 0);
}
