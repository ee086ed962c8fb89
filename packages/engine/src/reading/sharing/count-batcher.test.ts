import { describe, expect, it } from 'vitest';

import { callBy, pageOf, type QuestionFacts, questionOf } from '../../../test/page-questions.ts';
import { ReaderByHand, settled } from '../../../test/reader-by-hand.ts';
import { CacheStore } from '../../cache-store.ts';
import type { PageRows } from '../../sources/source.ts';
import { MechanismCounters } from '../cache-stats.ts';
import { CountBatcher } from './count-batcher.ts';
import { QueryCosts } from './query-costs.ts';
import type { PageQuestion } from '../reader.ts';

/** A batcher whose next link answers by hand; a page is known by its size. */
function startBatcher() {
  const next = new ReaderByHand<PageQuestion, PageRows>();
  const counters = new MechanismCounters();
  const costs = new QueryCosts(new CacheStore(100_000));
  const batcher = new CountBatcher({ costs, counters, kept: undefined, next });
  const ask = (size: number, facts: QuestionFacts = {}, caller?: string): Promise<PageRows> =>
    batcher.read(questionOf({ size, ...facts }), callBy(caller));
  const sizes = (): number[][] =>
    next.reads.map(({ questions }) => questions.map(({ range }) => range.size));
  const answer = (read: number): void =>
    next.reads[read]?.answer(...(sizes()[read] ?? []).map((rows) => pageOf({ rows })));
  const stats = () => counters.statistics.find(({ mechanism }) => mechanism === 'count_batcher');
  return { ask, sizes, answer, stats, costs, reads: next.reads };
}

const SLOW_ROWS = [pageOf({ milliseconds: { rows: 2, count: 1 } })];

describe('pages whose count is expensive', () => {
  it('share the next count while one is being counted', async () => {
    const { ask, sizes, answer, stats } = startBatcher();
    const pages = [ask(1), ask(2), ask(3)];
    expect(sizes()).toEqual([[1]]);
    answer(0);
    await settled();
    expect(sizes()).toEqual([[1], [2, 3]]);
    answer(1);
    expect((await Promise.all(pages)).map(({ rows }) => rows)).toEqual([1, 2, 3]);
    expect(stats()).toMatchObject({ hits: 2, misses: 1 });
  });

  it('are counted again for those who ask when nobody counts any longer', async () => {
    const { ask, sizes, answer, stats } = startBatcher();
    const first = ask(1);
    answer(0);
    await first;
    await settled();
    void ask(2);
    expect(sizes()).toEqual([[1], [2]]);
    expect(stats()).toMatchObject({ hits: 0, misses: 2 });
  });

  it('of different lists do not wait for each other', () => {
    const { ask, sizes } = startBatcher();
    void ask(1);
    void ask(2, { list: 'other' });
    expect(sizes()).toEqual([[1], [2]]);
  });

  it('do not wait for those of lists of the same records whose version is of other data', () => {
    const { ask, sizes } = startBatcher();
    void ask(1);
    for (const other of [{ related: 'customers' }, { mayCall: true }]) void ask(2, other);
    void ask(3, { related: 'customers' });
    expect(sizes()).toEqual([[1], [2], [2]]);
  });

  it('are shared by all callers near the start of the list, and by those of one caller far from it', () => {
    const { ask, sizes } = startBatcher();
    void ask(1, { offset: 1000n }, 'a');
    void ask(2, { offset: 1000n }, 'b');
    expect(sizes()).toEqual([[1]]);
    void ask(3, { offset: 1001n }, 'a');
    void ask(4, { offset: 1001n }, 'b');
    void ask(5, { offset: 2000n }, 'a');
    expect(sizes()).toEqual([[1], [3], [4]]);
  });

  it('far from the start of the list, without a caller, are of one caller together', () => {
    const { ask, sizes } = startBatcher();
    void ask(1, { offset: 2000n });
    void ask(2, { offset: 2000n });
    expect(sizes()).toEqual([[1]]);
  });
});

describe('pages whose rows cost more than their count', () => {
  it('are read in up to four batches of each caller at a time', () => {
    const { ask, sizes, costs } = startBatcher();
    costs.noteBatch(questionOf().query, SLOW_ROWS);
    for (const size of [1, 2, 3, 4, 5]) void ask(size, {}, 'a');
    void ask(6, {}, 'b');
    expect(sizes()).toEqual([[1], [2], [3], [4], [6]]);
  });

  it('stay in the queue of their list until the last of its batches has been read', async () => {
    const { ask, answer, stats, costs } = startBatcher();
    costs.noteBatch(questionOf().query, SLOW_ROWS);
    for (const size of [1, 2]) void ask(size, {}, 'a');
    answer(0);
    await settled();
    void ask(3, {}, 'a');
    expect(stats()).toMatchObject({ hits: 2, misses: 1 });
  });
});

describe('pages that are passed on', () => {
  it('are those of a list whose page and total are cheap', () => {
    const { ask, sizes, stats, costs, reads } = startBatcher();
    costs.notePage(questionOf().query, 1);
    void ask(1);
    void ask(2);
    expect(sizes()).toEqual([[1], [2]]);
    expect(reads.map(({ batch }) => batch)).toEqual([false, false]);
    expect(stats()).toMatchObject({ hits: 0, misses: 0 });
  });

  it('are those of a relation that has no snapshots', () => {
    const { ask, sizes, reads } = startBatcher();
    void ask(1, { snapshots: false });
    void ask(2, { snapshots: false });
    expect(sizes()).toEqual([[1], [2]]);
    expect(reads.map(({ batch }) => batch)).toEqual([false, false]);
  });
});
