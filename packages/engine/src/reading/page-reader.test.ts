import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { readsBy } from '../../test/reads-by.ts';
import {
  callBy,
  foundOf,
  pageOf,
  type QuestionFacts,
  questionOf,
} from '../../test/page-questions.ts';
import { ReaderByHand, settled } from '../../test/reader-by-hand.ts';
import { CacheStore } from '../cache-store.ts';
import { QueryFailedError } from '../errors.ts';
import type { PageFound, PageRows, QueryPage } from '../sources/source.ts';
import { MechanismCounters } from './cache-stats.ts';
import type { KnownLists, KnownPath, PageQuestion, RecordQuestion } from './reader.ts';
import { PageReader } from './page-reader.ts';
import { DataVersions } from './sharing/data-version.ts';
import { KnownTotals } from './unchanged/known-totals.ts';
import { UnchangedLists } from './unchanged/unchanged-lists.ts';

/** One record more than a page was read, and more than the limit were counted. */
const READ: PageFound = foundOf({ ...pageOf({ rows: 11 }), total: 6n });

/** What callers get of it. */
const SHOWN = { ...pageOf(), total: undefined, hasNext: true };

/** A reader over a source that has one page, and what the source and the next link were asked. */
function startReader(read: PageFound | Error = READ, known?: KnownLists) {
  const asked: QueryPage[] = [];
  const source = readsBy<'page' | 'record'>({
    page: async (page) => {
      asked.push(page);
      if (read instanceof Error) throw read;
      return read;
    },
  });
  const versions = new DataVersions({ scopeOf: () => '', current: async () => '1' });
  const knownTotals = new KnownTotals(versions, new CacheStore(100_000));
  const counters = new MechanismCounters();
  const unchanged = new UnchangedLists({ source: source as never, knownTotals, counters });
  const counted = new ReaderByHand<PageQuestion, PageRows>();
  const reader = new PageReader({
    source,
    lists: known ? [known, unchanged] : [unchanged],
    counted,
  });
  return { reader, asked, knownTotals, nexts: counted.reads };
}

function wanting(countLimit: number, facts: QuestionFacts = {}): PageQuestion {
  return { ...questionOf(facts), countLimit };
}

/** Lists that have a page, or whose page is none that holds, or none at all. */
function listsOf(path: KnownPath, page?: PageRows) {
  const want = vi.fn<() => undefined>();
  const counter = new MechanismCounters().create('total_cache');
  const lists: KnownLists = {
    counter,
    pathTo: () => path,
    page: async () => page,
    record: async () => undefined,
    want,
    learn: vi.fn<NonNullable<KnownLists['learn']>>(),
  };
  return { lists, want };
}

describe('a page with its whole total', () => {
  it('is counted where the total is not known', async () => {
    const { reader, asked, nexts } = startReader();
    const question = questionOf();
    void reader.read(question, callBy('a'));
    await settled();
    expect([asked, nexts]).toMatchObject([[], [{ questions: [question] }]]);
  });

  it('says how long it waited for a total that is counted elsewhere, and waits for a connection for less where others went first', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(20);
    let path: KnownPath = 'unknown';
    const { lists } = listsOf(path, pageOf());
    const want = async (): Promise<number> => {
      await Promise.resolve();
      vi.advanceTimersByTime(30);
      path = 'quick';
      return 20;
    };
    const page = vi.fn<KnownLists['page']>(async () => pageOf());
    const { reader } = startReader(READ, { ...lists, pathTo: () => path, want, page });
    const { milliseconds } = await reader.read(questionOf(), callBy('a'));
    expect(milliseconds).toEqual({ rows: 1, count: 30 });
    expect(page.mock.lastCall?.[1]).toMatchObject({ waitedMs: 20 });
  });

  it.each(['quick', 'long'] as const)(
    'waits for no total that is counted elsewhere where a %s way leads to it',
    async (path) => {
      const { lists } = listsOf(path, pageOf());
      const { promise: never } = Promise.withResolvers<number>();
      const { reader } = startReader(READ, { ...lists, want: () => never });
      expect(await reader.read(questionOf(), callBy('a'))).toMatchObject(pageOf());
    },
  );

  it('has a digest of its records and their names, and no version where the model has none', async () => {
    const { reader, nexts } = startReader();
    const digests: string[] = [];
    for (const [index, json] of ['[1]', '[1]', '[2]'].entries()) {
      const page = reader.read(questionOf({ versioned: false }), callBy('a'));
      await settled();
      nexts[index]?.answer(pageOf({ json }));
      const { version, digest } = await page;
      expect(version).toBeUndefined();
      digests.push(digest());
    }
    expect(digests[0]).toBe(digests[1]);
    expect(digests[0]).not.toBe(digests[2]);
  });
});

describe('a page with no total, or with one to a limit', () => {
  it('is answered by a read to the limit', async () => {
    const { reader, asked, nexts } = startReader();
    const question = wanting(5);
    expect(await reader.read(question, callBy('a'))).toMatchObject(SHOWN);
    expect(asked).toMatchObject([{ range: question.range, countLimit: 5 }]);
    expect(nexts).toEqual([]);
  });

  it('brings the total to those who want it, where its page has the last record', async () => {
    const { reader, knownTotals } = startReader({ ...READ, rows: 10, numbers: [] });
    await reader.read(wanting(0), callBy('a'));
    expect(knownTotals.total(questionOf().query)).toMatchObject({ total: 10n, version: '1' });
  });

  it('brings no total where its page does not have the last record, or is too large', async () => {
    for (const read of [READ, { ...READ, rows: 10, json: undefined }]) {
      const { reader, knownTotals } = startReader(read);
      await reader.read(wanting(0), callBy('a'));
      expect(knownTotals.total(questionOf().query)).toBeUndefined();
    }
  });

  it.each([
    { offset: 80n, hasNext: true },
    { offset: 90n, hasNext: false },
  ])('needs no count where the total is kept: offset $offset', async ({ offset, hasNext }) => {
    const { reader, asked } = startReader(READ, listsOf('quick', pageOf()).lists);
    expect(await reader.read(wanting(0, { offset }), callBy('a'))).toMatchObject({ hasNext });
    expect(asked).toEqual([]);
  });

  it('is read where what is kept is of other data', async () => {
    const { reader, asked } = startReader(READ, listsOf('quick').lists);
    expect(await reader.read(wanting(0), callBy('a'))).toMatchObject(SHOWN);
    expect(asked).toHaveLength(1);
  });

  it('needs no count where the total is followed, and has none begun where it is not', async () => {
    for (const isKnown of [true, false]) {
      const { lists, want } = listsOf(isKnown ? 'quick' : 'unknown', pageOf());
      const { reader, asked } = startReader(READ, lists);
      expect(await reader.read(wanting(0), callBy('a'))).toMatchObject({ hasNext: true });
      expect(asked).toHaveLength(isKnown ? 0 : 1);
      expect(want).not.toHaveBeenCalled();
    }
  });

  it('has no version where the model has none', async () => {
    const { reader } = startReader();
    const page = await reader.read(wanting(0, { versioned: false }), callBy('a'));
    expect(page.version).toBeUndefined();
  });

  it('has no records where the database cannot return so many, and fails for any other reason', async () => {
    const { reader } = startReader(new QueryFailedError('reply_too_large', 'Too large.'));
    expect((await reader.read(wanting(0), callBy('a'))).json).toBeUndefined();
    const broken = new QueryFailedError('data_error', 'Broken.');
    await expect(startReader(broken).reader.read(wanting(0), callBy('a'))).rejects.toBe(broken);
  });
});

/** Reads a record whose page and place the database finds in one statement. */
function readNumbered(numbers: PageFound['numbers']) {
  const { reader, asked, knownTotals } = startReader({ ...pageOf(), numbers });
  const { range: _range, ...question } = questionOf();
  Object.assign(question.query, { recordPage: (...of: unknown[]) => ({ sql: 'numbered', of }) });
  const record = { id: 7 } as unknown as RecordQuestion['record'];
  return { page: reader.read({ ...question, record, size: 10 }, callBy()), asked, knownTotals };
}

it('a record whose rows are numbered by the database is read with its page and place at once', async () => {
  const { page, asked, knownTotals } = readNumbered([100n, 42n]);
  expect(await page).toMatchObject({ json: '[{"id":1}]', total: 100n, offset: 40n, version: '1' });
  const query = { sql: 'numbered', of: [{ id: 7 }, 10] };
  expect(asked).toEqual([{ query, range: { size: 10, offset: 0n }, isOfRecord: true }]);
  expect(knownTotals.total(questionOf().query)).toMatchObject({ total: 100n });
  const absent = readNumbered([100n, null]);
  expect(await absent.page).toMatchObject({ json: '[]', offset: undefined });
  expect(absent.knownTotals.total(questionOf().query)).toBeUndefined();
});

it('a record is found in the first lists that have it', async () => {
  const { range: _range, ...question } = questionOf();
  const record = { id: 7 } as unknown as RecordQuestion['record'];
  Object.assign(question.query, { records: {} });
  const page = { ...pageOf(), offset: 0n };
  const { lists } = listsOf('quick');
  const source = readsBy<'page' | 'record'>({});
  const counted = new ReaderByHand<PageQuestion, PageRows>();
  const all = [lists, { ...lists, record: async () => page }];
  const reader = new PageReader({ source, lists: all, counted });
  const found = await reader.read({ ...question, record, size: 10 }, callBy());
  expect(found).toMatchObject({ json: page.json, offset: 0n });
});
