import { describe, expect, test } from 'vitest';

import type { Trial } from '../under-writes/trials.ts';
import { isReached } from './goals.ts';
import type { TrialResult } from './results.ts';
import { trialGoals, trialsPage } from './trials-page.ts';

const TRIAL: Trial = {
  setup: 'feed',
  rows: 1000,
  depth: 'first',
  lists: 'whole',
  writtenTo: 'another server',
  perSecond: 1000,
};

function resultOf(trial: Partial<Trial>, p50: number): TrialResult {
  return {
    trial: { ...TRIAL, ...trial },
    p50,
    p99: 10 * p50,
    requestsPerSecond: 100 / p50,
    answered: 10,
    refused: 1,
    failed: 2,
    writes: { perSecond: 990, failed: 3 },
  };
}

const RESULTS = [
  resultOf({}, 1),
  resultOf({ depth: 'last' }, 2),
  resultOf({ writtenTo: 'this table' }, 2.5),
  resultOf({ writtenTo: 'this table', depth: 'last' }, 4),
  resultOf({ writtenTo: 'another table', depth: 'last' }, 3),
  resultOf({ lists: 'filtered' }, 2),
  resultOf({ lists: 'filtered', writtenTo: 'this table' }, 8),
  resultOf({ writtenTo: 'this table', setup: 'primary' }, 100),
  resultOf({ writtenTo: 'this table', perSecond: 10 }, 100),
];

describe('the goals under writes', () => {
  test('are those of the worst page of a followed table, beside its own baseline', () => {
    const goals = trialGoals(RESULTS);
    expect(goals.map(({ value }) => value)).toEqual(
      [2.5, 1.5, 40, undefined].concat([4, undefined, undefined, undefined]),
    );
    expect(goals.map(isReached)).toEqual(
      [true, false, false, undefined].concat([false, undefined, undefined, undefined]),
    );
  });
});

describe('the table of pages under writes', () => {
  test('has every trial beside its baseline, with what went wrong', () => {
    const { name, text } = trialsPage(RESULTS);
    expect(name).toBe('under-writes.md');
    expect(text).toContain('## PostgreSQL, followed, 1,000 rows');
    expect(text).toMatch(
      /\| last page +\| this table +\| +990 \| +4\.00 \| +2\.00× \| +40\.0 \| +25\.0 \| +0\.500× \| +3 \| +3 \|/,
    );
  });
});
