import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { callBy, pageOf, questionOf } from '../../../test/page-questions.ts';
import { ReaderByHand } from '../../../test/reader-by-hand.ts';
import { CacheStore } from '../../cache-store.ts';
import type { PageRows } from '../../sources/source.ts';
import { MechanismCounters } from '../cache-stats.ts';
import { DataVersions } from './data-version.ts';
import type { PageQuestion, Question } from '../reader.ts';
import { ReplyCache } from './reply-cache.ts';

const MEMORY_BYTES = 100_000;

const RELATIONS = [['cities']];

function question(key: string): Question {
  return { key, relations: RELATIONS };
}

/** A cache over data whose version the test sets, and which counts how often it was asked for. */
function createCache() {
  const data = { version: '1' as string | undefined, checks: 0 };
  const versions = new DataVersions({
    scopeOf: () => '',
    current: async () => {
      data.checks += 1;
      return data.version;
    },
  });
  const version = versions.of(RELATIONS);
  const counters = new MechanismCounters();
  const replies = new ReplyCache<PageRows>({
    versions,
    store: new CacheStore(MEMORY_BYTES),
    counters,
  });
  const stats = () => counters.statistics.find(({ mechanism }) => mechanism === 'reply_cache');
  return { data, version, replies, stats };
}

describe('a kept reply', () => {
  it('is returned after a check that finds the data unchanged', async () => {
    const { data, replies, stats } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    expect(await replies.find(question('key'))).toMatchObject({
      json: '[{"id":1}]',
      total: 100n,
      version: '1',
    });
    expect(data.checks).toBe(1);
    expect(stats()).toMatchObject({ hits: 1, misses: 0 });
  });

  it('is never returned once the data has changed, and is deleted', async () => {
    const { data, replies, stats } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    expect(stats()?.bytes).toBeGreaterThan(0);
    data.version = '2';
    expect(await replies.find(question('key'))).toBeUndefined();
    expect(stats()).toMatchObject({ hits: 0, misses: 1, bytes: 0 });
  });

  it('is not deleted when a newer one has taken its place during the check', async () => {
    const { data, replies } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    data.version = '2';
    const stale = replies.find(question('key'));
    replies.keep(question('key'), pageOf({ version: '2', json: '[2]' }));
    expect(await stale).toBeUndefined();
    expect(await replies.find(question('key'))).toMatchObject({ json: '[2]' });
  });

  it('is not returned when the source cannot report a version', async () => {
    const { data, replies } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    data.version = undefined;
    expect(await replies.find(question('key'))).toBeUndefined();
  });

  it('of a version that is known to be over costs no check', async () => {
    const { data, version, replies } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    version.observe('2');
    expect(await replies.find(question('key'))).toBeUndefined();
    expect(data.checks).toBe(0);
  });

  it('reports how long the check took, not how long the rows took once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(5000);
    const { replies } = createCache();
    replies.keep(question('key'), pageOf({ milliseconds: { rows: 3000, count: 7 } }));
    const found = replies.find(question('key'));
    vi.advanceTimersByTime(20);
    expect(await found).toMatchObject({ milliseconds: { rows: 20, count: 0 } });
  });

  it('stays when the same is read again from a source that reports no version', async () => {
    const { replies } = createCache();
    replies.keep(question('key'), pageOf({ json: '[1]' }));
    replies.keep(question('key'), pageOf({ json: '[2]', version: undefined }));
    expect(await replies.find(question('key'))).toMatchObject({ json: '[1]' });
  });

  it('makes its version the latest that was seen, also when it was kept before', async () => {
    const { version, replies } = createCache();
    replies.keep(question('key'), pageOf({ version: '1' }));
    version.observe('0');
    replies.keep(question('key'), pageOf({ version: '1' }));
    expect(version.mayBeCurrent('1')).toBe(true);
  });
});

describe('the memory of kept replies', () => {
  it('is bounded: the ones that were used least recently are deleted', async () => {
    const { replies, stats } = createCache();
    for (let index = 0; index < 1000; index++)
      replies.keep(question(`key ${index}`), pageOf({ json: 'x'.repeat(500) }));
    expect(stats()?.bytes).toBeLessThanOrEqual(MEMORY_BYTES);
    expect(await replies.find(question('key 0'))).toBeUndefined();
    expect(await replies.find(question('key 999'))).toBeDefined();
  });

  it('holds no reply without a version, nor one that takes more than a 32nd of it', () => {
    const { replies, stats } = createCache();
    replies.keep(question('none'), pageOf({ version: undefined }));
    expect(stats()?.bytes).toBe(0);
    replies.keep(question('large'), pageOf({ json: 'x'.repeat(MEMORY_BYTES / 64) }));
    expect(stats()?.bytes).toBe(0);
    replies.keep(question('smaller'), pageOf({ json: 'x'.repeat(MEMORY_BYTES / 64 - 420) }));
    expect(stats()?.bytes).toBeGreaterThan(0);
  });
});

describe('a reply cache before another link', () => {
  it('answers a question again without the next link, and passes other questions on', async () => {
    const { replies } = createCache();
    const next = new ReaderByHand<PageQuestion, PageRows>();
    const reader = replies.before(next);
    const call = callBy('a');
    const first = reader.read(questionOf(), call);
    await expect.poll(() => next.reads.length).toBe(1);
    expect(next.reads[0]?.call).toBe(call);
    next.reads[0]?.answer(pageOf({ json: '[1]' }));
    expect((await first).json).toBe('[1]');
    expect((await reader.read(questionOf(), callBy('b'))).json).toBe('[1]');
    expect(next.reads).toHaveLength(1);
    void reader.read(questionOf({ offset: 10n }), callBy());
    await expect.poll(() => next.reads.length).toBe(2);
  });

  it('keeps nothing where the next link fails', async () => {
    const { replies, stats } = createCache();
    const next = new ReaderByHand<PageQuestion, PageRows>();
    const answer = replies.before(next).read(questionOf(), callBy());
    await expect.poll(() => next.reads.length).toBe(1);
    next.reads[0]?.fail(new Error('broken'));
    await expect(answer).rejects.toThrow('broken');
    expect(stats()?.bytes).toBe(0);
  });
});
