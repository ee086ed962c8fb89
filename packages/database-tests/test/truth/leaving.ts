import { setImmediate } from 'node:timers/promises';

import type { Random } from './random.ts';

/** A caller leaves when the process has turned to other work so many times at most. */
const MOST_TURNS = 40;

/** The signal of a caller who leaves soon. */
export function leavingSoon(random: Random): AbortSignal {
  const leaving = new AbortController();
  void leaveAfter(random.integer(0, MOST_TURNS), leaving);
  return leaving.signal;
}

async function leaveAfter(turns: number, leaving: AbortController): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
  leaving.abort();
}
