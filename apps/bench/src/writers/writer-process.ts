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

/** Keeps to the clock, so that a late transaction does not lower the rate. */
async function write(): Promise<void> {
  while (!stop.signal.aborted) {
    const due = started + ((transactions + failed + 1) * 1000) / input.perSecond;
    await sleep(Math.min(50, Math.max(0, due - performance.now())));
    if (performance.now() < due || stop.signal.aborted) continue;
    try {
      await commit(transactions);
      transactions++;
    } catch {
      failed++;
    }
  }
}

const writing = write();
answerParent('ready', async (): Promise<Written> => {
  stop.abort();
  await writing;
  await close();
  return { transactions, seconds: (performance.now() - started) / 1000, failed };
});
