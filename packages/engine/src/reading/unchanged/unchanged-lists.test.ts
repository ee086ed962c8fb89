import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { readsBy } from '../../../test/reads-by.ts';
import { callBy, pageOf, type QuestionFacts, questionOf } from '../../../test/page-questions.ts';
import { ReaderByHand, settled } from '../../../test/reader-by-hand.ts';
import { CacheStore } from '../../cache-store.ts';
import { QueryFailedError } from '../../errors.ts';
import type { PageRows, ReadCall, RowsRead } from '../../sources/source.ts';
import type { RowsStatement } from '../../sql/query-statements.ts';
import { MechanismCounters } from '../cache-stats.ts';
import { DataVersions } from '../sharing/data-version.ts';
import { KnownTotals } from './known-totals.ts';
import { PageReader } from '../page-reader.ts';
import { CountBatcher } from '../sharing/count-batcher.ts';
import { QueryCosts } from '../sharing/query-costs.ts';
import { UnchangedLists } from './unchanged-lists.ts';
import type { PageQuestion } from '../reader.ts';

const FULL: RowsRead = { json: '[rows]', rows: 10, version: '1' };

/** Readers that know totals, over data whose version and rows the test sets. */
function startReaders() {
  const data = {
    version: '1' as string | undefined,
    checks: 0,
    rows: FULL as RowsRead | Error,
    statements: [] as { read: RowsStatement; call: ReadCall }[],
  };
  const versions = new DataVersions({
    scopeOf: () => '',
    current: async () => {
      data.checks += 1;
      return data.version;
    },
  });
  const source = readsBy<'page'>({
    rows: async (read: RowsStatement, call: ReadCall) => {
      data.statements.push({ read, call });
      if (data.rows instanceof Error) throw data.rows;
      return data.rows;
    },
  });
  const counters = new MechanismCounters();
  const store = new CacheStore(100_000);
  const knownTotals = new KnownTotals(versions, store);
  const next = new ReaderByHand<PageQuestion, PageRows>();
  const unchanged = new UnchangedLists({ knownTotals, counters, source: source as never });
  return {
    data,
    knownTotals,
    version: versions.of([['cities']]),
    reads: next.reads,
    reader: new PageReader({ source, lists: [unchanged], counted: next }),
    batches: new CountBatcher({ costs: new QueryCosts(store), counters, kept: unchanged, next }),
    stats: (name: string) => counters.statistics.find(({ mechanism }) => mechanism === name),
  };
}

/** The same, where the total of the list is known to be 100 at version 1. */
function startCached() {
  const readers = startReaders();
  readers.knownTotals.learn(questionOf().query, pageOf());
  return readers;
}

describe('a page whose total is not known', () => {
  it('is left to the next link, which brings the total of the next page', async () => {
    const { reader, reads, data, stats } = startReaders();
    const [question, call] = [questionOf(), callBy('a')];
    const first = reader.read(question, call);
    await settled();
    expect(reads).toMatchObject([{ questions: [question], batch: false }]);
    expect(reads[0]?.call).toBe(call);
    reads[0]?.answer(pageOf({ json: '[next]', total: 20n }));
    expect(await first).toMatchObject({ json: '[next]', total: 20n });
    expect(await reader.read(questionOf({ offset: 10n }), callBy())).toMatchObject({
      json: '[rows]',
      total: 20n,
      version: '1',
    });
    expect([reads.length, data.checks]).toEqual([1, 0]);
    expect(stats('total_cache')).toMatchObject({ hits: 1, misses: 1 });
    expect(stats('total_cache')?.bytes).toBeGreaterThan(0);
  });

  it('brings no total where its version is unknown', async () => {
    const { reader, reads, stats } = startReaders();
    const first = reader.read(questionOf(), callBy());
    await settled();
    reads[0]?.answer(pageOf({ version: undefined }));
    await first;
    void reader.read(questionOf(), callBy());
    await settled();
    expect(reads).toHaveLength(2);
    expect(stats('total_cache')?.bytes).toBe(0);
  });

  it('of a relation without versions is passed on and not counted', async () => {
    const { reader, reads, stats } = startReaders();
    const call = callBy();
    void reader.read(questionOf({ versioned: false }), call);
    await settled();
    expect(reads[0]?.call).toBe(call);
    expect(stats('total_cache')).toEqual({
      mechanism: 'total_cache',
      hits: 0,
      misses: 0,
      bytes: 0,
    });
  });
});

describe('a page whose total is known', () => {
  it('is read by one statement, from the nearer end, for the call', async () => {
    const { reader, data, stats } = startCached();
    const call = callBy('a');
    await reader.read(questionOf({ offset: 10n }), call);
    expect(data.statements[0]).toMatchObject({
      read: { statement: { sql: 'rows' }, bindings: { offset: 10n } },
    });
    expect(data.statements[0]?.call).toBe(call);
    expect(stats('read_backwards')?.hits).toBe(0);
    await reader.read(questionOf({ offset: 80n }), callBy());
    expect(data.statements[1]?.read).toMatchObject({
      statement: { sql: 'reversed' },
      bindings: { offset: 10n },
    });
    expect(stats('read_backwards')).toMatchObject({ hits: 1, misses: 0 });
  });

  it('reports how long its rows took, and no time for the total', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(5000);
    const { reader } = startCached();
    const page = reader.read(questionOf(), callBy());
    vi.advanceTimersByTime(20);
    expect((await page).milliseconds).toEqual({ rows: 20, count: 0 });
  });

  it('is the last page: as many rows as are left', async () => {
    const { reader, data, reads } = startCached();
    data.rows = { ...FULL, rows: 5 };
    expect((await reader.read(questionOf({ offset: 95n }), callBy())).rows).toBe(5);
    expect(reads).toEqual([]);
  });

  it.each<{ when: string; rows: RowsRead }>([
    { when: 'of another version', rows: { ...FULL, version: '2' } },
    { when: 'of no version', rows: { ...FULL, version: undefined } },
    { when: 'fewer than the total says', rows: { ...FULL, rows: 9 } },
  ])('is left to the next link where its rows are $when', async ({ rows }) => {
    const { reader, data, reads, stats } = startCached();
    data.rows = rows;
    const page = reader.read(questionOf(), callBy());
    await settled();
    reads[0]?.answer(pageOf({ json: '[next]' }));
    expect((await page).json).toBe('[next]');
    expect(stats('total_cache')).toMatchObject({ hits: 0, misses: 1 });
  });

  it('is left to the next link at once when another version was seen since', async () => {
    const { reader, data, version, reads } = startCached();
    version.observe('2');
    void reader.read(questionOf(), callBy());
    await settled();
    expect([data.statements.length, reads.length]).toEqual([0, 1]);
  });

  it('brings the version of its rows, so that nothing older is tried again', async () => {
    const { reader, data, version } = startCached();
    data.rows = { ...FULL, version: '2' };
    void reader.read(questionOf(), callBy());
    await settled();
    expect(version.mayBeCurrent('2')).toBe(true);
  });

  it('that is too large for the database has no records', async () => {
    const { reader, data, reads } = startCached();
    data.rows = new QueryFailedError('reply_too_large', 'It is too large.');
    expect((await reader.read(questionOf(), callBy())).json).toBeUndefined();
    expect(reads).toEqual([]);
  });

  it('that cannot be read fails as the source does', async () => {
    const { reader, data } = startCached();
    data.rows = new QueryFailedError('overloaded', 'It is overloaded.');
    await expect(reader.read(questionOf(), callBy())).rejects.toBe(data.rows);
  });
});

describe('a page past the end of a known total', () => {
  const PAST: QuestionFacts = { offset: 100n };

  it('is empty after a check of the version, without a read', async () => {
    const { reader, data, reads } = startCached();
    expect(await reader.read(questionOf(PAST), callBy())).toMatchObject({
      json: '[]',
      rows: 0,
      total: 100n,
      version: '1',
    });
    expect([data.checks, data.statements.length, reads.length]).toEqual([1, 0, 0]);
  });

  it('is left to the next link where the data has changed', async () => {
    const { reader, data, reads } = startCached();
    data.version = '2';
    void reader.read(questionOf(PAST), callBy());
    await expect.poll(() => reads.length).toBe(1);
  });
});

describe('a batch that waited for one count', () => {
  const BATCH = [questionOf(), questionOf({ offset: 10n })];

  it('is read by its rows alone where somebody has brought the total meanwhile', async () => {
    const { batches, data, reads, stats } = startCached();
    const call = callBy('a');
    const pages = await batches.readBatch(BATCH, call);
    expect(pages).toMatchObject([{ total: 100n }, { total: 100n }]);
    expect(data.statements.map((statement) => statement.call)).toEqual([call, call]);
    expect([data.checks, reads.length]).toEqual([1, 0]);
    expect(stats('total_cache')).toMatchObject({ hits: 0, misses: 0 });
  });

  it('is left to the next link as it is where the total is not known', async () => {
    const { batches, data, reads, knownTotals } = startReaders();
    const call = callBy('a');
    const pages = batches.readBatch(BATCH, call);
    await settled();
    expect(reads).toMatchObject([{ questions: BATCH, batch: true }]);
    expect(reads[0]?.call).toBe(call);
    reads[0]?.answer(pageOf({ json: '[1]' }), pageOf({ json: '[2]' }));
    expect(await pages).toMatchObject([{ json: '[1]' }, { json: '[2]' }]);
    expect([data.checks, data.statements.length]).toEqual([0, 0]);
    expect(knownTotals.total(questionOf().query)).toMatchObject({ total: 100n, version: '1' });
  });

  it('is left to the next link without reading rows where a check finds the data changed', async () => {
    const { batches, data, reads } = startCached();
    data.version = '2';
    void batches.readBatch(BATCH, callBy());
    await expect.poll(() => reads.length).toBe(1);
    expect(reads[0]?.questions).toEqual(BATCH);
    expect(data.statements).toEqual([]);
  });

  it('is left to the next link with those pages alone whose rows were of another version', async () => {
    const { batches, data, reads } = startCached();
    const past = questionOf({ offset: 100n });
    const pages = batches.readBatch(
      [BATCH[0], past, BATCH[1]].flatMap((question) => question ?? []),
      callBy(),
    );
    data.rows = { ...FULL, version: '2' };
    await expect.poll(() => reads.length).toBe(1);
    expect(reads[0]?.questions).toEqual(BATCH);
    reads[0]?.answer(pageOf({ json: '[1]' }), pageOf({ json: '[2]' }));
    expect((await pages).map(({ json }) => json)).toEqual(['[1]', '[]', '[2]']);
  });

  it('of no pages reads nothing', async () => {
    const { batches, data } = startCached();
    expect(await batches.readBatch([], callBy())).toEqual([]);
    expect(data.checks).toBe(0);
  });
});
