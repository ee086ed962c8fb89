import { expect, it } from 'vitest';

import { pageOf, queryOf, questionOf } from '../../test/page-questions.ts';
import { CacheStore } from '../cache-store.ts';
import { MechanismCounters } from './cache-stats.ts';
import { DataVersions } from './sharing/data-version.ts';
import { KnownTotals } from './unchanged/known-totals.ts';
import { QueryCosts } from './sharing/query-costs.ts';
import type { FoundPage } from './reader.ts';
import { ReplyCache } from './sharing/reply-cache.ts';
import { ScanForecast } from './scan-forecast.ts';

/** A forecast, and what it looks at. */
function startForecast({ isFollowed = false } = {}) {
  const store = new CacheStore(100_000);
  const versions = new DataVersions({ scopeOf: () => '', current: async () => '1' });
  const knownTotals = new KnownTotals({ versions, store });
  const costs = new QueryCosts(store);
  const counters = new MechanismCounters();
  const replies = new ReplyCache<FoundPage>({ versions, store, counters });
  const changes = { knowsTotal: () => isFollowed };
  const forecast = new ScanForecast({ changes, costs, knownTotals, replies });
  return { forecast, knownTotals, costs, replies, version: versions.of([['list']]) };
}

it('a list that nobody has read may be scanned', () => {
  expect(startForecast().forecast.mayScan(questionOf())).toBe(true);
});

it('a list whose pages are quick is not', () => {
  const { forecast, costs } = startForecast();
  costs.notePage(queryOf(), 10);
  expect(forecast.mayScan(questionOf())).toBe(false);
  costs.notePage(queryOf(), 11);
  expect(forecast.mayScan(questionOf())).toBe(true);
});

it('a page whose reply is kept is not, until the data is known to have changed', () => {
  const { forecast, replies, version } = startForecast();
  replies.keep(questionOf(), pageOf());
  expect(forecast.mayScan(questionOf())).toBe(false);
  version.observe('2');
  expect(forecast.mayScan(questionOf())).toBe(true);
});

it('where the total is known, only pages far from both ends are', () => {
  const { forecast, knownTotals } = startForecast();
  knownTotals.learn(queryOf(), { total: 5000n, version: '1' });
  const mayScan = [0n, 1000n, 1010n, 2500n, 3990n, 4000n, 9000n].map((offset) =>
    forecast.mayScan(questionOf({ offset })),
  );
  expect(mayScan).toEqual([false, false, true, true, false, false, false]);
});

it('a relation whose total is followed is only scanned for deep pages', () => {
  const { forecast } = startForecast({ isFollowed: true });
  expect(forecast.mayScan(questionOf())).toBe(false);
  expect(forecast.mayScan(questionOf({ offset: 2000n }))).toBe(true);
});

it('the beginning of a whole list is not scanned where no total is asked for, and anything else may be', () => {
  const { forecast } = startForecast();
  const mayScan = (offset: bigint, countLimit: number): boolean =>
    forecast.mayScan({ ...questionOf({ offset }), countLimit });
  expect([mayScan(0n, 0), mayScan(5000n, 0), mayScan(0n, 10)]).toEqual([false, true, true]);
});
