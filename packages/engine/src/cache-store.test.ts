import { describe, expect, it } from 'vitest';

import { CacheStore } from './cache-store.ts';

const sizeOf = (text: string): number => text.length;

describe('the caches of one store', () => {
  it('keep their own values under the same keys', () => {
    const store = new CacheStore(10_000);
    const [one, other] = [store.cache('one ', { sizeOf }), store.cache('other ', { sizeOf })];
    one.set('key', 'a');
    other.set('key', 'b');
    expect([one.get('key'), other.get('key')]).toEqual(['a', 'b']);
    one.delete('key');
    expect([one.get('key'), other.peek('key')]).toEqual([undefined, 'b']);
    expect([one.bytes, other.bytes > 0]).toEqual([0, true]);
  });

  it('give way to each other: what was used least recently in any of them goes first', () => {
    const store = new CacheStore(10_000);
    const [one, other] = [store.cache('one ', { sizeOf }), store.cache('other ', { sizeOf })];
    one.set('old', 'x'.repeat(4000));
    one.set('used', 'x'.repeat(2000));
    other.set('first', 'x'.repeat(2000));
    one.get('used');
    other.set('second', 'x'.repeat(4000));
    expect([one.peek('old'), one.peek('used')?.length, other.peek('first')?.length]).toEqual([
      undefined,
      2000,
      2000,
    ]);
    other.set('third', 'x'.repeat(2500));
    expect([one.peek('used')?.length, other.peek('first'), other.peek('second')?.length]).toEqual([
      2000,
      undefined,
      4000,
    ]);
    expect(one.bytes + other.bytes).toBeLessThanOrEqual(10_000);
  });

  it('never take more than the store has, keys included', () => {
    const store = new CacheStore(100_000);
    const caches = ['one ', 'other '].map((name) => store.cache(name, { sizeOf }));
    for (let index = 0; index < 1000; index++) {
      for (const cache of caches) cache.set(`${index} ${'k'.repeat(index)}`, 'value');
      expect(caches.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(100_000);
    }
  });

  it('keep no value that is larger than its part, and forget the one that it replaces', () => {
    const store = new CacheStore(10_000);
    const cache = store.cache('cache ', { sizeOf, largestPart: 1 / 4 });
    expect(cache.set('key', 'small')).toBe(true);
    expect(cache.set('key', 'x'.repeat(2500))).toBe(false);
    expect([cache.get('key'), cache.bytes]).toEqual([undefined, 0]);
    const all = store.cache('all ', { sizeOf });
    expect([all.set('key', 'x'.repeat(9000)), all.set('other', 'x'.repeat(10_000))]).toEqual([
      true,
      false,
    ]);
  });

  it('count a value that is replaced once', () => {
    const cache = new CacheStore(10_000).cache('cache ', { sizeOf });
    cache.set('key', 'x'.repeat(100));
    const { bytes } = cache;
    cache.set('key', 'x'.repeat(200));
    expect([cache.bytes, cache.get('key')?.length]).toEqual([bytes + 100, 200]);
  });
});
