import { describe, expect, test } from 'vitest';

import { bodiesOf } from './measure-trial.ts';
import { planLoads, planTrials, type Trial, trialLabel } from './trials.ts';

const FACTORS = { rows: 10_000, depths: ['first', 'middle', 'last'], rates: [0, 1000] } as const;

const TRIAL: Trial = {
  setup: 'feed',
  rows: 10_000,
  depth: 'first',
  lists: 1,
  writtenTo: 'this table',
  perSecond: 1000,
};

describe('the trials under writes', () => {
  test('have a baseline for each rate, whose writers write to another server', () => {
    const loads = planLoads('primary', FACTORS);
    expect(loads.map(({ writtenTo, perSecond }) => `${perSecond} ${writtenTo}`)).toEqual([
      '0 nothing',
      '1000 another server',
      '1000 another table',
      '1000 this table',
      '1000 this table, beside an open transaction',
    ]);
  });

  test('leave no transaction open on SQLite, which has one writer', () => {
    const loads = planLoads('file', FACTORS);
    expect(loads.map(({ writtenTo }) => writtenTo)).not.toContain(
      'this table, beside an open transaction',
    );
  });

  test('read each page of one list, and the first of several lists at once', () => {
    const load = { writtenTo: 'this table', perSecond: 1000 } as const;
    const trials = planTrials('feed', load, FACTORS);
    expect(trials.map(({ depth, lists }) => `${depth} ${lists}`)).toEqual([
      'first 1',
      'middle 1',
      'last 1',
      'first 8',
    ]);
    expect(new Set(trials.map(trialLabel)).size).toBe(trials.length);
  });

  test('ask for the whole table first, and for other lists by a condition', () => {
    const bodies = bodiesOf({ ...TRIAL, depth: 'last', lists: 8 }).map(
      (body) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(bodies.map(({ query_filter }) => query_filter)[0]).toBeUndefined();
    expect(new Set(bodies.map((body) => JSON.stringify(body['query_filter']))).size).toBe(8);
    expect(bodies.map(({ page }) => page)).toEqual(
      Array.from({ length: 8 }, () => ({ page: 1000, size: 10 })),
    );
  });
});
