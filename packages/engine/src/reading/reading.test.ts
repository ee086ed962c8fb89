import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

import { readsBy } from '../../test/reads-by.ts';
import { unversioned } from '../sources/reads/snapshot.ts';
import { callBy, foundOf, pageOf, questionOf, queryOf } from '../../test/page-questions.ts';
import { CacheStore } from '../cache-store.ts';
import type { Source } from '../sources/source.ts';
import { ACCELERATION, type Acceleration } from './acceleration.ts';
import { mayScan as mayScanIn, Reading } from './reading.ts';
import { MechanismCounters } from './cache-stats.ts';
import { DataVersions } from './sharing/data-version.ts';
import { KnownTotals } from './unchanged/known-totals.ts';
import { QueryCosts } from './sharing/query-costs.ts';
import type { FoundPage, ListQuestion } from './reader.ts';
import { ReplyCache } from './sharing/reply-cache.ts';

/** Reading of a source at rest, with what the source was asked for. */
function startReading(settings: Partial<Acceleration> = {}, page = pageOf(), primary?: Reading) {
  const asked: string[] = [];
  const reads = readsBy<'page' | 'pages' | 'sort' | 'keys'>({
    page: async () => {
      asked.push('page');
      return foundOf(page);
    },
    pages: async (pages) => {
      asked.push(`batch of ${pages.length}`);
      return { pages: pages.map(() => foundOf()), version: pageOf().version };
    },
    rows: async () => {
      asked.push('rows');
      return pageOf();
    },
    sort: async () => unversioned({ rows: 0, rowBytes: 1, memoryBytes: 1 }),
    keys: async (_statement, { signal }) => {
      asked.push('keys');
      await once(signal, 'abort');
      asked.push('no more keys');
      throw signal.reason;
    },
  });
  const versions = { scopeOf: () => '', current: async () => '1', shared: (one: string) => one };
  const source = { ...reads, versions } as unknown as Source;
  const store = new CacheStore(ACCELERATION.memoryBytes);
  const all = { ...ACCELERATION, ...settings };
  const reading = new Reading({ source, settings: all, store, ...(primary && { primary }) });
  const ask = (offset = 0n) => reading.pages.read(questionOf({ offset }), callBy('a'));
  return { ask, asked, reading };
}

/** What a kept reply with these records takes. */
async function bytesOfReply(json: string | undefined): Promise<number | undefined> {
  const { ask, reading } = startReading({}, pageOf({ json }));
  await ask();
  return reading.counters.statistics.find(({ mechanism }) => mechanism === 'reply_cache')?.bytes;
}

const NO_CACHES = { replyCache: false, totalCache: false };

describe('reading', () => {
  it('asks the source once for equal pages, and for the rows alone of others, by default', async () => {
    const { ask, asked } = startReading();
    for (const offset of [0n, 0n, 10n, 10n]) await ask(offset);
    expect(asked).toEqual(['page', 'rows']);
  });

  it('reads equal pages again without the reply cache', async () => {
    const { ask, asked } = startReading({ replyCache: false });
    for (const offset of [0n, 0n]) await ask(offset);
    expect(asked).toEqual(['page', 'rows']);
  });

  it('reads totals again without the total cache', async () => {
    const { ask, asked } = startReading({ totalCache: false });
    for (const offset of [0n, 0n, 10n]) await ask(offset);
    expect(asked).toEqual(['page', 'page']);
  });

  it('answers those who waited from what the read before has brought', async () => {
    const { ask, asked } = startReading();
    await Promise.all([0n, 0n, 10n, 20n].map((offset) => ask(offset)));
    expect(asked).toEqual(['page', 'rows', 'rows']);
  });

  it('shares reads and counts of callers who wait, without caches too', async () => {
    const { ask, asked } = startReading(NO_CACHES);
    await Promise.all([0n, 0n, 0n, 10n, 20n].map((offset) => ask(offset)));
    expect(asked.filter((what) => what === 'page').length).toBeLessThan(3);
    expect(asked).toContain('batch of 2');
  });

  it('shares nothing where single-flight is switched off', async () => {
    const { ask, asked } = startReading({ ...NO_CACHES, singleFlight: false });
    await Promise.all([0n, 0n, 0n, 10n].map((offset) => ask(offset)));
    expect(asked).toEqual(['page', 'page', 'page', 'page']);
  });

  it('keeps replies where single-flight is switched off', async () => {
    const { ask, asked, reading } = startReading({ singleFlight: false });
    for (const offset of [0n, 0n, 10n]) await ask(offset);
    expect(asked).toEqual(['page', 'rows']);
    const used = reading.counters.statistics.filter(({ hits }) => hits > 0);
    expect(used.map(({ mechanism }) => mechanism)).toEqual(['total_cache', 'reply_cache']);
  });

  it('counts together what is read from several servers', async () => {
    const primary = startReading();
    const replica = startReading({}, pageOf(), primary.reading);
    for (const { ask } of [primary, replica, replica]) await ask();
    const used = primary.reading.counters.statistics.filter(({ hits }) => hits > 0);
    expect(used).toMatchObject([{ mechanism: 'reply_cache', hits: 1, misses: 0 }]);
  });

  it('takes two bytes of memory for each character of a reply, beside what it takes itself', async () => {
    const [empty, long] = await Promise.all(
      [undefined, 'x'.repeat(1000)].map((json) => bytesOfReply(json)),
    );
    expect(empty).toBeGreaterThan(600);
    expect(long).toBe((empty ?? 0) + 2000);
  });

  it.each([
    { pageIndex: true, built: true },
    { pageIndex: false, built: false },
  ])('builds page indexes for deep pages that are asked for again: $built', async (settings) => {
    const { pageIndex, built } = settings;
    const { ask, asked, reading } = startReading({ pageIndex, pageIndexMinOffset: 20 });
    for (const offset of [0n, 40n, 50n, 30n]) await ask(offset);
    expect(reading.indexBuilds.begun).toBe(built ? 1 : 0);
    await expect.poll(() => asked.includes('keys')).toBe(built);
    await reading.close();
    expect(asked.includes('no more keys'), 'when it is closed').toBe(built);
  });
});

/** A forecast, and what it looks at. */
function startForecast({ isFollowed = false } = {}) {
  const store = new CacheStore(100_000);
  const versions = new DataVersions({ scopeOf: () => '', current: async () => '1' });
  const knownTotals = new KnownTotals(versions, store);
  const costs = new QueryCosts(store);
  const counters = new MechanismCounters();
  const replies = new ReplyCache<FoundPage>({ versions, store, counters });
  const changes = { knowsTotal: () => isFollowed };
  const forecast = {
    mayScan: (question: ListQuestion) =>
      mayScanIn(question, { changes, costs, knownTotals, replies }),
  };
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
