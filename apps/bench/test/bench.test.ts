import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { runBench } from '../src/bench.ts';
import { readOptions } from '../src/options.ts';
import { writeReport } from '../src/report/report.ts';
import type { SubjectName } from '../src/report/results.ts';

test('a bench in miniature measures every subject on SQLite and writes its document', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dynamic-query-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const flags = {
    only: 'pages',
    databases: 'sqlite',
    rows: '1000',
    sizes: '10',
    pages: 'last',
    writes: '10',
    seconds: '0.1',
    rounds: '1',
    starts: '1',
  };
  const options = readOptions(flags, folder);

  const results = await runBench(options, 'bench', () => undefined);

  const subjects: SubjectName[] = ['service', 'bare', 'bare-count', 'static'];
  expect(results.measurements).toHaveLength(2 * subjects.length);
  for (const { answered, refused, failed, seconds } of results.measurements) {
    expect({ answered: answered > 0, refused, failed, timed: seconds > 0 }).toEqual({
      answered: true,
      refused: 0,
      failed: 0,
      timed: true,
    });
  }
  expect(new Set(results.measurements.map(({ subject }) => subject))).toEqual(new Set(subjects));
  expect(results.writes.every(({ perSecond, failed }) => perSecond > 0 && failed === 0)).toBe(true);
  expect(results.coldStarts.map(({ depth }) => depth)).toEqual(['last']);
  expect(results.fullReads.map(({ rows, sdk }) => [rows, sdk > 0])).toEqual([[1000, true]]);

  const file = await writeReport(results, folder);
  expect(await readFile(file, 'utf8')).toContain(
    'None: every request was answered with 200, and every write succeeded.',
  );
  const beside = await readdir(join(folder, 'performance'));
  expect(beside.toSorted()).toEqual(['ratios.md']);
});
