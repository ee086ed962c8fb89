import { describe, expect, test } from 'vitest';

import { bodiesOf } from './measure-trial.ts';
import { LIST_NAMES, planLoads, planTrials, type Trial, trialLabel, WRITTEN } from './trials.ts';

const FACTORS = {
  rows: 10_000,
  depths: ['first', 'middle', 'last'],
  writeRates: [0, 1000],
  written: WRITTEN,
  lists: LIST_NAMES,
} as const;

const TRIAL: Trial = {
  setup: 'feed',
  rows: 10_000,
  depth: 'first',
  lists: 'whole',
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
      '1000 this table beside an open transaction',
    ]);
  });

  test('leave no transaction open on SQLite, which has one writer', () => {
    const loads = planLoads('file', FACTORS);
    expect(loads.map(({ writtenTo }) => writtenTo)).not.toContain(
      'this table beside an open transaction',
    );
  });

  test('read each page of the table, and of a followed one pages of other lists', () => {
    const load = { writtenTo: 'this table', perSecond: 1000 } as const;
    const trials = planTrials('feed', load, FACTORS);
    expect(trials.map(({ depth, lists }) => `${depth} ${lists}`)).toEqual([
      'first whole',
      'middle whole',
      'last whole',
      'first several',
      'first filtered',
      'middle filtered',
      'last filtered',
      'first tenants',
      'first ordered',
      'middle ordered',
      'last ordered',
    ]);
    expect(new Set(trials.map(trialLabel)).size).toBe(trials.length);
    expect(planTrials('primary', load, FACTORS)).toHaveLength(4);
    expect(planTrials('feed', load, { ...FACTORS, lists: ['tenants'] })).toHaveLength(1);
  });

  test('ask for the whole table first, and for other lists by a condition', () => {
    const bodies = bodiesOf({ ...TRIAL, depth: 'last', lists: 'several' }).map(
      (body) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(bodies.map(({ query_filter }) => query_filter)[0]).toBeUndefined();
    expect(new Set(bodies.map((body) => JSON.stringify(body['query_filter']))).size).toBe(8);
    expect(bodies.map(({ page }) => page)).toEqual(
      Array.from({ length: 8 }, () => ({ page: 1000, size: 10 })),
    );
  });

  test('ask for the pages of filtered lists, and of those in another order', () => {
    const [filtered] = bodiesOf({ ...TRIAL, depth: 'last', lists: 'filtered' });
    expect(JSON.parse(filtered ?? '')).toMatchObject({
      query_filter: { attribute: 'amount', op: 'lt', value: '1000' },
      page: { page: 100, size: 10 },
    });
    expect(new Set(bodiesOf({ ...TRIAL, lists: 'tenants' })).size).toBe(100);
    const [ordered] = bodiesOf({ ...TRIAL, depth: 'last', lists: 'ordered' });
    expect(JSON.parse(ordered ?? '')).toMatchObject({
      query_sort: [{ attribute: 'created_at' }],
      page: { page: 1000, size: 10 },
    });
  });
});
