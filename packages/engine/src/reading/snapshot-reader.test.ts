import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { readsBy } from '../../test/reads-by.ts';
import { callBy, foundOf, pageOf, questionOf } from '../../test/page-questions.ts';
import { CacheStore } from '../cache-store.ts';
import { QueryFailedError } from '../errors.ts';
import type { PageFound } from '../sources/source.ts';
import { MechanismCounters } from './cache-stats.ts';
import { QueryCosts } from './sharing/query-costs.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const TOO_LARGE = new QueryFailedError('reply_too_large', 'It is too large.');
const BROKEN = new QueryFailedError('data_error', 'It is broken.');

/** Two pages of one list. */
const BATCH = [questionOf(), questionOf({ offset: 10n })];

type PageResult = PageFound | Error;

/** A reader of a source with these pages, by their sizes; what it was asked, and for whom. */
function startReader(pages: Readonly<Record<number, PageResult>>, batch?: PageResult[] | Error) {
  const asked: unknown[] = [];
  const counters = new MechanismCounters();
  const source = readsBy<'page' | 'pages'>({
    page: async ({ query, range }, call) => {
      asked.push({ query, range, call });
      return orThrow(pages[range.size]);
    },
    pages: async (list, call) => {
      asked.push({ list, call });
      if (batch instanceof Error) throw batch;
      const read = (batch ?? []).map(orThrow);
      return { pages: read, version: read[0]?.version };
    },
  });
  const proofs = () =>
    counters.statistics.find(({ mechanism }) => mechanism === 'short_page_proof')?.hits;
  const costs = new QueryCosts(new CacheStore(10_000));
  return { reader: new SnapshotReader(source, costs, counters), asked, proofs, costs };
}

function orThrow(result: PageResult | undefined): PageFound {
  if (result === undefined || result instanceof Error) throw result ?? new Error('No such page.');
  return result;
}

describe('a page', () => {
  it('is read by the statements of its query, for the call', async () => {
    const { reader, asked } = startReader({ 10: foundOf(pageOf({ json: '[7]' })) });
    const [question, call] = [questionOf({ offset: 20n }), callBy('a')];
    expect(await reader.read(question, call)).toEqual(pageOf({ json: '[7]' }));
    expect(asked).toEqual([
      { query: question.query.statements, range: { size: 10, offset: 20n }, call },
    ]);
  });

  it('that is too large for the database has no records, no total and no version', async () => {
    const { reader, proofs } = startReader({ 10: TOO_LARGE });
    expect(await reader.read(questionOf(), callBy())).toMatchObject({
      json: undefined,
      rows: 0,
      total: 0n,
      version: undefined,
      milliseconds: { rows: 0, count: 0 },
    });
    expect(proofs()).toBe(0);
    const cut = startReader({ 10: { ...foundOf(pageOf()), json: undefined, numbers: [] } });
    await cut.reader.read(questionOf(), callBy());
    expect(cut.proofs()).toBe(0);
  });

  it('that cannot be read fails as the source does', async () => {
    const { reader, costs } = startReader({ 10: BROKEN }, BROKEN);
    await expect(reader.read(questionOf(), callBy())).rejects.toBe(BROKEN);
    await expect(reader.readBatch(BATCH, callBy())).rejects.toBe(BROKEN);
    expect(costs.isExpensive(questionOf().query), 'nothing is noted').toBe(true);
  });

  it.each([
    { tookMs: 10, expensive: false },
    { tookMs: 11, expensive: true },
  ])(
    'is noted as expensive where it took $tookMs ms: $expensive',
    async ({ tookMs, expensive }) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      vi.advanceTimersByTime(5000);
      const { reader, costs } = startReader({ 10: foundOf() });
      const page = reader.read(questionOf(), callBy());
      vi.advanceTimersByTime(tookMs);
      await page;
      expect(costs.isExpensive(questionOf().query)).toBe(expensive);
    },
  );
});

describe('the proof of a total by a page that is not full', () => {
  it.each([
    { numbers: [], proofs: 1, total: 16n },
    { numbers: [null], proofs: 1, total: 16n },
    { numbers: [20n], proofs: 0, total: 20n },
  ])('is counted $proofs times where the source counted $numbers', async ({ numbers, ...rest }) => {
    const { reader, proofs } = startReader({ 10: { ...pageOf({ rows: 9 }), numbers } });
    const { total } = await reader.read(questionOf({ offset: 7n }), callBy());
    expect({ proofs: proofs(), total }).toEqual(rest);
  });
});

describe('a batch', () => {
  it('is read from one snapshot, for the call', async () => {
    const [one, other] = [pageOf({ json: '[1]' }), pageOf({ json: '[2]' })];
    const { reader, asked } = startReader({}, [foundOf(one), foundOf(other)]);
    const call = callBy('a');
    expect(await reader.readBatch(BATCH, call)).toEqual([one, other]);
    const list = BATCH.map(({ query, range }) => ({ query: query.statements, range }));
    expect(asked).toEqual([{ list, call }]);
  });

  it('has its costs noted by whether its rows are slow, and not by how long it took', async () => {
    const slow = foundOf({ ...pageOf(), milliseconds: { rows: 2, count: 1 } });
    const { reader, costs } = startReader({}, [slow, slow]);
    await reader.readBatch(BATCH, callBy());
    const { query } = questionOf();
    expect([costs.hasSlowRows(query), costs.isExpensive(query)]).toEqual([true, true]);
  });

  it('of one page is read as a page', async () => {
    const { reader, costs, asked } = startReader({ 10: foundOf() });
    expect(await reader.readBatch([questionOf()], callBy())).toEqual([pageOf()]);
    expect(asked).toMatchObject([{ range: { size: 10 } }]);
    expect(costs.isExpensive(questionOf().query)).toBe(false);
  });

  it('of no pages reads nothing', async () => {
    const { reader, asked } = startReader({});
    expect(await reader.readBatch([], callBy())).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('fails as a whole where one of its pages cannot be read', async () => {
    const { reader, asked } = startReader({ 10: foundOf() }, [foundOf(), TOO_LARGE]);
    await expect(reader.readBatch(BATCH, callBy())).rejects.toBe(TOO_LARGE);
    expect(asked).toHaveLength(1);
  });
});
