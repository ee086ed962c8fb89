import { describe, expect, it } from 'vitest';

import type { PageRows } from '../sources/source.ts';
import { CacheStore } from '../cache-store.ts';
import { DataVersion } from './data-version.ts';
import { ReplyCache } from './reply-cache.ts';

function page(version: string | undefined, json = '[{"id":1}]'): PageRows {
  return { json, rows: 1, total: 1n, version, milliseconds: { rows: 300, count: 0 } };
}

/** A cache over data whose version the test sets, and which counts how often it was asked for. */
function cache(memoryBytes = 100_000) {
  const data = { version: '1' as string | undefined, checks: 0 };
  const version = new DataVersion(async () => {
    data.checks += 1;
    return data.version;
  });
  version.observe('1');
  return { data, version, replies: new ReplyCache(version, new CacheStore(memoryBytes)) };
}

describe('a kept page', () => {
  it('is sent again after a check that finds the data unchanged', async () => {
    const { data, replies } = cache();
    replies.keep('key', page('1'));
    expect(await replies.find('key')).toMatchObject({
      json: '[{"id":1}]',
      total: 1n,
      version: '1',
    });
    expect(data.checks).toBe(1);
    expect(replies.tally.statistics).toMatchObject({ hits: 1, misses: 0 });
  });

  it('is never sent once the data has changed, and is forgotten', async () => {
    const { data, replies } = cache();
    replies.keep('key', page('1'));
    data.version = '2';
    expect(await replies.find('key')).toBeUndefined();
    expect(replies.tally.statistics).toMatchObject({ hits: 0, misses: 1, bytes: 0 });
  });

  it('is not sent when the source cannot tell its version', async () => {
    const { data, replies } = cache();
    replies.keep('key', page('1'));
    data.version = undefined;
    expect(await replies.find('key')).toBeUndefined();
  });

  it('of a version that is known to be over costs no check', async () => {
    const { data, version, replies } = cache();
    replies.keep('key', page('1'));
    version.observe('2');
    expect(await replies.find('key')).toBeUndefined();
    expect(data.checks).toBe(0);
  });

  it('tells how long the check took, not how long the rows took once', async () => {
    const { replies } = cache();
    replies.keep('key', page('1'));
    expect((await replies.find('key'))?.milliseconds.rows).toBeLessThan(300);
  });
});

describe('the memory of kept pages', () => {
  it('is bounded: the oldest go first', async () => {
    const { replies } = cache();
    for (let index = 0; index < 1000; index++)
      replies.keep(`key ${index}`, page('1', 'x'.repeat(500)));
    expect(replies.tally.statistics.bytes).toBeLessThanOrEqual(100_000);
    expect(await replies.find('key 0')).toBeUndefined();
    expect(await replies.find('key 999')).toBeDefined();
  });

  it('holds no page without a version, nor one that would take too much of it', async () => {
    const { replies } = cache();
    replies.keep('none', page(undefined));
    replies.keep('large', page('1', 'x'.repeat(5000)));
    expect(replies.tally.statistics.bytes).toBe(0);
  });
});
