import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { runBench } from '../src/bench.ts';
import { readOptions } from '../src/options.ts';
import { writeReport } from '../src/report/report.ts';

test('a bench in miniature reads pages of SQLite under writes and writes their table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const flags = {
    only: 'writes',
    databases: 'sqlite',
    rows: '1000',
    pages: 'first,last',
    writeRates: '0,20',
    trialSeconds: '1',
  };
  const results = await runBench(readOptions(flags, folder), 'bench', () => undefined);

  const written = results.trials.map(({ trial: { writtenTo } }) => writtenTo);
  const kinds = ['nothing', 'another server', 'another table', 'this table'];
  expect([...new Set(written)]).toEqual(kinds);
  expect(results.trials).toHaveLength(kinds.length * 3);
  for (const { answered, refused, failed, p50, requestsPerSecond } of results.trials)
    expect({ refused, failed, found: answered > 0, p50, requestsPerSecond }).toEqual({
      refused: 0,
      failed: 0,
      found: true,
      p50: expect.any(Number),
      requestsPerSecond: expect.any(Number),
    });
  const busy = results.trials.filter(({ trial: { perSecond } }) => perSecond > 0);
  expect(busy.every(({ writes }) => writes.perSecond > 0 && writes.failed === 0)).toBe(true);

  const file = await writeReport(results, folder);
  expect(await readFile(file, 'utf8')).toContain('## SQLite, 1,000 rows');
});
