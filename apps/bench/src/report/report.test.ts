import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { Scenario } from '../scenarios.ts';
import { formatNumber, formatRatio, markdownTable } from './format.ts';
import { goalsOf, isReached } from './goals.ts';
import { figuresPages, proseOf, renderReport, writeReport } from './report.ts';
import type { Measurement, Results } from './results.ts';

const SCENARIO: Scenario = {
  database: 'postgres',
  rows: 1000,
  depth: 'first',
  size: 10,
  pattern: 'repeated',
  writesPerSecond: 0,
};
const BUSY: Scenario = { ...SCENARIO, writesPerSecond: 10 };

function measured(
  scenario: Scenario,
  subject: Measurement['subject'],
  answered: number,
  faults: Partial<Measurement> = {},
): Measurement {
  const p50 = 16_000 / answered;
  return {
    scenario,
    subject,
    answered,
    seconds: 1,
    p50,
    refused: 0,
    failed: 0,
    ...faults,
  };
}

const RESULTS: Results = {
  facts: {
    date: '2026-01-31 12:00',
    command: 'pnpm --filter @proj/bench bench',
    processor: 'Some CPU',
    cores: 2,
    memoryBytes: 2 ** 33,
    node: 'v24.0.0',
    databases: ['PostgreSQL 18.1'],
  },
  connections: 16,
  seconds: 1,
  measurements: [
    measured(SCENARIO, 'service', 30_000),
    measured(SCENARIO, 'bare', 12_000),
    measured(SCENARIO, 'bare-count', 400, { refused: 7, failed: 3 }),
    measured(SCENARIO, 'static', 60_000),
    measured(BUSY, 'service', 300),
    measured(BUSY, 'bare-count', 400),
  ],
  writes: [{ scenario: BUSY, perSecond: 9.8, failed: 1 }],
  coldStarts: [
    { database: 'postgres', rows: 1000, depth: 'last', service: 30, offsetAndCount: 60 },
  ],
  fullReads: [{ database: 'postgres', rows: 1000, sdk: 100_000, export: 400_000 }],
  trials: [],
};

describe('goals', () => {
  const goals = new Map(goalsOf(RESULTS, 'postgres').map((goal) => [goal.name, goal]));
  const reached = (name: string): boolean | undefined => {
    const goal = goals.get(name);
    if (goal === undefined) throw new Error(`There is no goal "${name}".`);
    return isReached(goal);
  };

  test('are reached or missed by ratios within the run', () => {
    expect(goals.get('page 1 repeated, rate ÷ baseline route')?.value).toBe(2.5);
    expect(reached('page 1 repeated, rate ÷ baseline route')).toBe(true);
    expect(reached('page 1 repeated, rate ÷ static reply')).toBe(false);
    expect(reached('under writes, worst rate ÷ baseline route + count')).toBe(false);
    expect(reached('first last page after a start ÷ OFFSET + count')).toBe(true);
    expect(reached('whole table through the SDK ÷ export, rows/s')).toBe(false);
  });

  test('that were not measured are neither', () => {
    expect(reached('last pages ÷ first pages, p50')).toBeUndefined();
    expect(goalsOf(RESULTS, 'sqlite').every((goal) => isReached(goal) === undefined)).toBe(true);
  });
});

describe('the report', () => {
  const prose = '<!-- prose:begin -->\n\nBy **hand**.\n\n<!-- prose:end -->';
  const report = renderReport(RESULTS, prose);
  const raw = new Map(figuresPages(RESULTS).map(({ name, text }) => [name, text]));

  test('says by which command and on which machine it was measured', () => {
    expect(report).toContain(
      'Written by `pnpm --filter @proj/bench bench` on 2026-01-31 12:00 UTC.',
    );
    expect(report).toContain('- Machine: 2 cores of Some CPU, 8.00 GiB of memory, Node v24.0.0\n');
  });

  test('has all ratios in a raw table', () => {
    expect(raw.get('ratios.md')).toMatch(
      /\| 10\^3 rows, first page, 10 a page, repeated +\| +2\.50× \| +75\.0× \| +0\.500× \|/,
    );
  });

  test('hides no request that went wrong, and no write that failed', () => {
    expect(report).toMatch(
      /first page, 10 a page, repeated \| baseline route \+ count \| +400 \| +7 \| +3 \|/,
    );
    expect(report).toMatch(/10 writes\/s \| +1 \|/);
  });

  test('keeps the prose of the one before', () => {
    expect(proseOf(report)).toBe(prose);
    expect(proseOf('half of it: <!-- prose:begin --> lost')).toBe(
      '<!-- prose:begin -->\n\n<!-- prose:end -->',
    );
  });

  test('is written as one page, with its tables in a folder beside it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'report-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = await writeReport(RESULTS, folder);
    const links = [...(await readFile(file, 'utf8')).matchAll(/\]\((performance\/.*?)\)/g)];
    expect(links).toHaveLength(raw.size);
    for (const [, link = ''] of links) expect(await readFile(join(folder, link))).not.toEqual('');
  });
});

test('the published report and its prose fit on three screens', async () => {
  const published = await readFile(new URL('../../../../docs/performance.md', import.meta.url));
  expect(String(published).split('\n').length).toBeLessThanOrEqual(150);
});

test('a table pads text to the right and numbers to the left', () => {
  expect(markdownTable(['who', 'much'], [['service', '7']])).toBe(
    '| who     | much |\n| ------- | ---: |\n| service |    7 |',
  );
});

test('numbers have three digits that count', () => {
  expect([0, 0.045_67, 3.2, 16_437, undefined].map(formatNumber)).toEqual([
    '0',
    '0.0457',
    '3.20',
    '16,400',
    '–',
  ]);
  expect(formatRatio(2.414)).toBe('2.41×');
});
