import { describe, expect, test } from 'vitest';

import type { Scenario } from '../scenarios.ts';
import { formatNumber, formatRatio } from './format.ts';
import { goalsOf, isReached } from './goals.ts';
import { logScale } from './log-scale.ts';
import { markdownTable } from './markdown-table.ts';
import { renderReport } from './markdown.ts';
import { plotsOf } from './plots.ts';
import { proseOf } from './prose.ts';
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
    p99: 2 * p50,
    rssBytes: 2 ** 26,
    cpuSeconds: 0.5,
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
};

describe('goals', () => {
  const goals = new Map(goalsOf(RESULTS, 'postgres').map((goal) => [goal.name, goal]));
  const reached = (name: string): boolean | undefined => {
    const goal = goals.get(name);
    if (goal === undefined) throw new Error(`There is no goal "${name}".`);
    return isReached(goal);
  };

  test('are reached or missed by ratios within the run', () => {
    expect(goals.get('page 1 repeated, rate ÷ bare route')?.value).toBe(2.5);
    expect(reached('page 1 repeated, rate ÷ bare route')).toBe(true);
    expect(reached('page 1 repeated, rate ÷ static reply')).toBe(false);
    expect(reached('under writes, worst rate ÷ bare route + count')).toBe(false);
    expect(reached('first last page after a start ÷ OFFSET + count')).toBe(true);
    expect(reached('whole table through the SDK ÷ export, rows/s')).toBe(false);
  });

  test('that were not measured are neither', () => {
    expect(reached('last pages ÷ first pages, p50')).toBeUndefined();
    expect(goalsOf(RESULTS, 'sqlite').every((goal) => isReached(goal) === undefined)).toBe(true);
  });
});

describe('the document', () => {
  const document = renderReport(RESULTS, proseOf(''));

  test('tells machine, command and ratios', () => {
    expect(document).toContain(
      'Written by `pnpm --filter @proj/bench bench` on 2026-01-31 12:00 UTC: 2 cores of Some CPU, 8.00 GiB',
    );
    expect(document).toMatch(
      /\| 10\^3 rows, first page, 10 a page, repeated +\| +2\.50× \| +75\.0× \| +0\.500× \|/,
    );
  });

  test('hides no request that went wrong, and no write that failed', () => {
    expect(document).toMatch(
      /first page, 10 a page, repeated \| bare route \+ count \| +400 \| +7 \| +3 \|/,
    );
    expect(document).toMatch(/10 writes\/s \| +9\.80 \| +1 \|/);
  });

  test('has a table and a plot for each quantity', () => {
    for (const { name } of plotsOf(RESULTS)) expect(document).toContain(`](performance/${name})`);
    expect(plotsOf(RESULTS).map(({ name }) => name)).toEqual([
      'requests-per-second.svg',
      'p50.svg',
      'p99.svg',
      'rss.svg',
      'cpu.svg',
      'growth.svg',
    ]);
  });

  test('keeps the prose of the one before', () => {
    const prose = '<!-- prose:begin -->\n\nBy **hand**.\n\n<!-- prose:end -->';
    expect(proseOf(renderReport(RESULTS, prose))).toBe(prose);
    expect(proseOf('half of it: <!-- prose:begin --> lost')).toBe(
      '<!-- prose:begin -->\n\n<!-- prose:end -->',
    );
  });
});

test('a plot has a dot for each value, and nothing in it is not a number', () => {
  const [rates] = plotsOf(RESULTS);
  const legend = 5;
  expect(rates?.svg.match(/<circle/g)).toHaveLength(RESULTS.measurements.length + legend);
  for (const { svg } of plotsOf(RESULTS)) expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('a plot of nothing is still a plot', () => {
  for (const { svg } of plotsOf({ ...RESULTS, measurements: [] }))
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('a logarithmic scale puts powers of ten at equal distances', () => {
  const scale = logScale([2, 700], [0, 300]);
  expect(scale.ticks).toEqual([1, 10, 100, 1000]);
  expect(scale.ticks.map((tick) => Math.round(scale.at(tick)))).toEqual([0, 100, 200, 300]);
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
