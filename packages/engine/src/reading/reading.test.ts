import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { readsBy } from '../../test/reads-by.ts';
import { unversioned } from '../sources/reads/snapshot.ts';
import { callBy, foundOf, pageOf, questionOf, queryOf } from '../../test/page-questions.ts';
import { CacheStore } from '../cache-store.ts';
import type { FollowedCall, Source } from '../sources/source.ts';
import { ACCELERATION, type Acceleration } from './acceleration.ts';
import { mayScan as mayScanIn, Reading } from './reading.ts';
import { MechanismCounters } from './cache-stats.ts';
import { DataVersions } from './sharing/data-version.ts';
import { KnownTotals } from './unchanged/known-totals.ts';
import { QueryCosts } from './sharing/query-costs.ts';
import { facetsQuestion } from './facets/facet-reader.ts';
import type { PreparedFacets } from '../sql/prepared/preparer.ts';
import type { FoundPage, ListQuestion, RecordQuestion } from './reader.ts';
import { ReplyCache } from './sharing/reply-cache.ts';

/** Reading of a source at rest, with what the source was asked for. */
function startReading(settings: Partial<Acceleration> = {}, page = pageOf(), primary?: Reading) {
  const asked: string[] = [];
  const reads = readsBy<'page' | 'pages' | 'sort' | 'keys' | 'facets'>({
    facets: async () => {
      asked.push('facets');
      return { facets: [], total: 7n, version: pageOf().version };
    },
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
  return { ask, asked, reading, source };
}

/** Reading of a source whose changes are followed; work in the background never ends by itself. */
function startFollowing(isCounted: boolean) {
  const { source } = startReading();
  const calls: FollowedCall[] = [];
  const during = async (_relation: unknown, _work: unknown, call: FollowedCall) => {
    if (call.isBackground === true) calls.push(call);
    await setImmediate();
    call.signal.throwIfAborted();
    vi.advanceTimersByTime(1000);
    return { version: '1', hasMore: true };
  };
  const read = async (...asked: Parameters<Source['read']>) => ({
    ...(await source.read(...asked)),
    followedTotal: 5000n,
  });
  const followed = { follows: () => true, knowsTotal: () => isCounted, during };
  const reading = new Reading({
    source: { ...source, read, changes: { followed } } as unknown as Source,
    settings: ACCELERATION,
    store: new CacheStore(ACCELERATION.memoryBytes),
  });
  const nextCalls = async (): Promise<number> => {
    const before = calls.length;
    for (let turn = 0; turn < 9; turn++) await setImmediate();
    return calls.length - before;
  };
  const ask = (offset: bigint) => reading.pages.read(questionOf({ offset }), callBy('a'));
  return { calls, nextCalls, ask, close: () => reading.close() };
}

/** What a kept reply with these records takes. */
async function bytesOfReply(json: string | undefined): Promise<number | undefined> {
  const { ask, reading } = startReading({}, pageOf({ json }));
  await ask();
  return reading.counters.statistics.find(({ mechanism }) => mechanism === 'reply_cache')?.bytes;
}

const NO_CACHES = { replyCache: false, totalCache: false };

/** A page as the callers of a tenant read it. */
async function askAs(reading: Reading | undefined, tenant: string): Promise<unknown> {
  const session = { role: 'tenant', settings: { tenant }, trusts: [] };
  return reading?.pages.read({ ...questionOf(), key: tenant, session }, callBy('a'));
}

describe('reading', () => {
  it('has a link for each other server, which shares nothing kept but counts what it keeps', async () => {
    const primary = startReading();
    const others = [startReading().source, startReading().source];
    const [one, same, other] = [others[0], others[0], others[1]].map((source) =>
      primary.reading.on(source as Source),
    );
    expect([one === same, one === other]).toEqual([true, false]);
    await askAs(primary.reading, '1');
    await askAs(primary.reading, '2');
    await askAs(one, '2');
    await askAs(other, '3');
    const sessions = ['tenant', 'other'].map((role) => primary.reading.sessionsOf(role));
    expect(sessions).toEqual([3, 0]);
  });

  it('closes what it has on other servers with itself', async () => {
    const { reading } = startReading();
    const elsewhere = reading.on(startReading().source);
    const close = vi.spyOn(elsewhere, 'close');
    await reading.close();
    expect(close).toHaveBeenCalledOnce();
  });

  it('counts followed lists and indexes them without pauses, and ends both with itself', async () => {
    vi.useFakeTimers({ toFake: ['performance'], now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const counting = startFollowing(false);
    await counting.ask(0n);
    await expect.poll(() => counting.calls.length).toBeGreaterThan(2);
    expect(counting.calls[0]?.deadline).toBe(ACCELERATION.indexBuildMs);
    await counting.close();
    expect(await counting.nextCalls()).toBe(0);
    const indexing = startFollowing(true);
    for (const offset of [0n, 2000n, 2010n]) await indexing.ask(offset);
    expect(await indexing.nextCalls()).toBeGreaterThan(2);
    await indexing.close();
    expect(await indexing.nextCalls()).toBe(0);
  });

  it('knows what may take long, and the version of the data, before it reads', async () => {
    const { ask, reading } = startReading();
    expect(reading.mayScan(questionOf())).toBe(true);
    await ask();
    expect(reading.mayScan(questionOf())).toBe(false);
    expect(await reading.currentVersion([['list']])).toMatch(/./);
  });

  it('keeps facets beside pages, even of equal keys', async () => {
    const { ask, asked, reading } = startReading();
    const plan = { ...queryOf().plan, facets: [], counted: {}, models: [] };
    const prepared = { key: questionOf().key, namesKey: '', plan, statements: { maxBytes: 99 } };
    const question = facetsQuestion(prepared as unknown as PreparedFacets);
    await ask();
    expect(reading.mayScanFacets(question)).toBe(true);
    const read = async () => reading.facets.read(question, callBy('a'));
    const json = '{"facets":[],"total":"7"}';
    expect([await read(), await read()]).toMatchObject([{ json }, { json }]);
    expect(reading.mayScanFacets(question)).toBe(false);
    expect(asked).toEqual(['page', 'facets']);
  });

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
  expect(forecast.mayScan(questionOf({ offset: 1000n }))).toBe(false);
  expect(forecast.mayScan(questionOf({ offset: 2000n }))).toBe(true);
  expect(forecast.mayScan(questionOf({ versioned: false }))).toBe(true);
});

it('the beginning of a whole list is not scanned where no total is asked for, and anything else may be', () => {
  const { forecast } = startForecast();
  const mayScan = (offset: bigint, countLimit: number): boolean =>
    forecast.mayScan({ ...questionOf({ offset }), countLimit });
  expect([mayScan(0n, 0), mayScan(5000n, 0), mayScan(0n, 10)]).toEqual([false, true, true]);
  const filtered = { ...questionOf(), countLimit: 0 };
  Object.assign(filtered.query.plan, { condition: {} });
  expect(forecast.mayScan(filtered)).toBe(true);
});

it.each([
  [undefined, undefined, true],
  [undefined, {}, true],
  [5000n, undefined, true],
  [5000n, {}, false],
])(
  'a record of a list whose total is %s, with the keys %j, may be searched for long: %s',
  (total, keys, may) => {
    const store = new CacheStore(100_000);
    const parts = {
      changes: undefined,
      costs: new QueryCosts(store),
      knownTotals: { total: () => total && { total }, checkpoints: () => keys },
      replies: { mayHave: () => false },
    };
    const record = { ...questionOf(), record: {} } as unknown as RecordQuestion;
    expect(mayScanIn(record, parts as unknown as Parameters<typeof mayScanIn>[1])).toBe(may);
  },
);
