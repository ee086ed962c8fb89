import { DatabaseSync } from 'node:sqlite';

import { Latencies } from '../../load/latencies.ts';
import type { LoadResult } from '../../load/load.ts';
import { answerParent } from '../../processes/child.ts';
import type { LoopInput } from './sqlite-loop.ts';

answerParent('ready', async (input): Promise<LoadResult> => {
  const { file, sql, size, pages, amount } = input as LoopInput;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  const statement = database.prepare(sql);
  const latencies = new Latencies();
  const started = performance.now();
  let before = started;
  for (let done = 0; done < amount; done++) {
    statement.get(size, ((pages[done % pages.length] ?? 1) - 1) * size);
    const now = performance.now();
    latencies.record(now - before);
    before = now;
  }
  database.close();
  return {
    answered: amount,
    seconds: (before - started) / 1000,
    counts: latencies.counts,
    refused: 0,
    failed: 0,
  };
});
