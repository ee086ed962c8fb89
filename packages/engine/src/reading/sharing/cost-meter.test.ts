import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { callBy, pageOf, questionOf } from '../../../test/page-questions.ts';
import { ReaderByHand } from '../../../test/reader-by-hand.ts';
import { CacheStore } from '../../cache-store.ts';
import type { PageRows } from '../../sources/source.ts';
import { CostMeter } from './cost-meter.ts';
import { QueryCosts } from './query-costs.ts';
import type { PageQuestion } from '../reader.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const ONE = questionOf();
const OTHER = questionOf({ offset: 10n });

function startMeter() {
  const next = new ReaderByHand<PageQuestion, PageRows>();
  const costs = new QueryCosts(new CacheStore(10_000));
  return { meter: new CostMeter(costs, next), costs, reads: next.reads };
}

describe('a cost meter', () => {
  it.each([
    { tookMs: 10, expensive: false },
    { tookMs: 11, expensive: true },
  ])('notes that a page took $tookMs ms', async ({ tookMs, expensive }) => {
    const { meter, costs, reads } = startMeter();
    vi.advanceTimersByTime(5000);
    const page = meter.read(ONE, callBy());
    vi.advanceTimersByTime(tookMs);
    reads[0]?.answer(pageOf({ json: '[1]' }));
    expect((await page).json).toBe('[1]');
    expect(costs.isExpensive(ONE.query)).toBe(expensive);
  });

  it('notes nothing of a page that could not be read', async () => {
    const { meter, costs, reads } = startMeter();
    const page = meter.read(ONE, callBy());
    reads[0]?.fail(new Error('broken'));
    await expect(page).rejects.toThrow('broken');
    expect(costs.isExpensive(ONE.query)).toBe(true);
  });

  it('notes of a batch whether its rows are slow, and not how long it took', async () => {
    const { meter, costs, reads } = startMeter();
    const call = callBy();
    const pages = meter.readBatch([ONE, OTHER], call);
    expect(reads[0]).toMatchObject({ questions: [ONE, OTHER], call, batch: true });
    const slow = pageOf({ milliseconds: { rows: 2, count: 1 } });
    reads[0]?.answer(slow, slow);
    expect(await pages).toEqual([slow, slow]);
    expect([costs.hasSlowRows(ONE.query), costs.isExpensive(ONE.query)]).toEqual([true, true]);
  });

  it('reads a batch of one page as a page', async () => {
    const { meter, costs, reads } = startMeter();
    const pages = meter.readBatch([ONE], callBy());
    expect(reads[0]).toMatchObject({ questions: [ONE], batch: false });
    reads[0]?.answer(pageOf());
    expect(await pages).toEqual([pageOf()]);
    expect(costs.isExpensive(ONE.query)).toBe(false);
  });

  it('reads nothing for a batch of no pages', async () => {
    const { meter, reads } = startMeter();
    expect(await meter.readBatch([], callBy())).toEqual([]);
    expect(reads).toEqual([]);
  });
});
