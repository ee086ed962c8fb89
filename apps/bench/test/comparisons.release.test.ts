import { expect, test } from 'vitest';

import { runFacets } from '../src/facets/run-facets.ts';
import { runRequests } from '../src/requests/run-requests.ts';
import { runSessions } from '../src/sessions/run-sessions.ts';

test('facets in miniature are compared on each database, and are of all records', async () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  await runFacets({ databases: ['sqlite', 'postgres', 'mariadb'], rows: 2000, print });
  expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(
    new Set(['sqlite', 'postgres', 'mariadb']),
  );
  for (const line of lines) expect(line).toMatch(/ \(time at most 1\.2\): \d+\.\d\d \(\d+ against/);
}, 300_000);

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
}, 300_000);

test('reads as callers in miniature are compared, and both show each tenant its own rows', async () => {
  const lines: string[] = [];
  await runSessions({ rows: 1000, seconds: 0.5, print: (line) => lines.push(line) });

  expect(lines).toHaveLength(8);
  for (const line of lines) expect(line).toMatch(/ \(rate at least \d+\): rate .* µs\)$/);
}, 300_000);
