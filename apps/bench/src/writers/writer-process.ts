import { setTimeout as sleep } from 'node:timers/promises';

import { answerParent, childInput } from '../processes/child.ts';
import { openCommit } from './commit.ts';
import type { WriterInput, Written } from './writer.ts';

const input = childInput() as WriterInput;
const { commit, close } = await openCommit(input);
const started = performance.now();
let transactions = 0;
let failed = 0;
const stop = new AbortController();

/** What a busy machine has held up is made up for; more than this, in milliseconds, is left out. */
const MOST_LATE_MS = 500;

/** Keeps to the clock, so that a late transaction does not lower the rate. */
async function write(): Promise<void> {
  let due = started + 1000 / input.perSecond;
  while (!stop.signal.aborted) {
    await sleep(Math.min(50, Math.max(0, due - performance.now())));
    if (performance.now() < due || stop.signal.aborted) continue;
    due = Math.max(due, performance.now() - MOST_LATE_MS) + 1000 / input.perSecond;
    try {
      await commit(transactions);
      transactions++;
    } catch {
      failed++;
    }
  }
}

function written(): Written {
  return { transactions, seconds: (performance.now() - started) / 1000, failed };
}

const writing = write();
answerParent('ready', async (question): Promise<Written> => {
  if (question !== 'stop') return written();
  stop.abort();
  await writing;
  await close();
  return written();
});
