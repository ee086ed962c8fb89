import { expect, test } from 'vitest';

import { runExports } from '../src/exports.ts';
import { FACETS, runPairs } from '../src/pairs/run-pairs.ts';
import { runRequests } from '../src/requests.ts';
import { runSessions } from '../src/sessions/run-sessions.ts';
import { runWatches } from '../src/watches/run-watches.ts';

test('facets in miniature are compared on each database, and are of all records', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  await runPairs(FACETS, { databases: ['sqlite', 'postgres', 'mariadb'], rows: 2000, print });
  expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(
    new Set(['sqlite', 'postgres', 'mariadb']),
  );
  for (const line of lines)
    expect(line).toMatch(/ \(time at most 1\.2\): \d+\.\d\d \([\d.]+ against/);
});

test('requests in miniature are compared on SQLite, and all are answered', async () => {
  const lines: string[] = [];
  await runRequests({
    databases: ['sqlite'],
    rows: 1000,
    seconds: 0.5,
    print: (line) => lines.push(line),
  });

  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).toMatch(/: rate \d+\.\d\d, p50 \d+\.\d\d, processor time .* µs\)$/);
  }
});

test('reads as callers in miniature are compared, and both show each tenant its own rows', async () => {
  const lines: string[] = [];
  await runSessions({ rows: 1000, seconds: 0.5, print: (line) => lines.push(line) });

  expect(lines).toHaveLength(8);
  for (const line of lines) expect(line).toMatch(/ \(rate at least \d+\): rate .* µs\)$/);
});

test('exports in miniature are compared on each database, and are whole', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const forms = ['csv', 'parquet'] as const;
  await runExports({ databases: ['sqlite', 'postgres'], forms, rows: 2000, writes: 50, print });
  expect(lines.map((line) => line.replace(/,.*, (\w+):.*/, ' $1'))).toEqual([
    'sqlite csv',
    'sqlite parquet',
    'postgres csv',
    'postgres parquet',
  ]);
  for (const line of lines) expect(line).toMatch(/: \d+ rows\/s, .* had \d+ to \d+ MiB$/);
});

test('watched lists in miniature have true events, each of which came after its commit', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const load = { rows: 2000, lists: 5, watchers: 10, every: 100, writes: 50, seconds: 3 };
  await runWatches({ ...load, print });
  expect(lines).toEqual([
    expect.stringMatching(
      /^10 watchers of 5 lists, 2000 rows, \d+ writes\/s: \d+ events, 0 of them wrong; delay p50 \d+ ms, p99 \d+ ms; \d+ % of a core, \d+ µs for each write; \d+ MiB at the start and \d+ at the end$/,
    ),
  ]);
});
