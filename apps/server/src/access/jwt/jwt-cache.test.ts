import { describe, expect, it } from 'vitest';

import { cacheKey, TokenCache } from './jwt-cache.ts';

const token = (expiresAt: number) => ({ name: 'a', issuer: 'c', role: 'b', claims: {}, expiresAt });

describe('a verified token is known', () => {
  it('for a minute', () => {
    const cache = new TokenCache();
    cache.keep('a', token(1e9), 1000);
    expect([999, 1000, 60_999, 61_000].map((at) => cache.find('a', at) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('until it expires, where that is sooner', () => {
    const cache = new TokenCache();
    cache.keep('a', token(5000), 1000);
    cache.keep('expired', token(500), 1000);
    expect([4999, 5000].map((at) => cache.find('a', at) !== undefined)).toEqual([true, false]);
    expect(cache.find('expired', 1000)).toBeUndefined();
  });

  it('as one of the last 5,000', () => {
    const cache = new TokenCache();
    for (let index = 0; index <= 5000; index++) cache.keep(String(index), token(1e9), 0);
    expect([cache.find('0', 1), cache.find('1', 1), cache.find('5000', 1)].map(Boolean)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('as one of fewer where their claims are long', () => {
    const cache = new TokenCache();
    const claims = { text: 'x'.repeat(10_000) };
    for (let index = 0; index < 1000; index++)
      cache.keep(String(index), { ...token(1e9), claims }, 0);
    const kept = Array.from({ length: 1000 }, (_, index) => cache.find(String(index), 1)).filter(
      Boolean,
    ).length;
    expect(kept).toBeGreaterThan(100);
    expect(kept * 50_000).toBeLessThanOrEqual(32 * 2 ** 20);
    expect(cache.find('999', 1)).toBeDefined();
  });

  it('until all are forgotten, which is noticed afterwards', () => {
    const cache = new TokenCache();
    const { age } = cache;
    cache.keep('a', token(1e9), 0);
    cache.clear();
    expect(cache.find('a', 1)).toBeUndefined();
    expect(cache.age).not.toBe(age);
  });

  it('by its SHA-256', () => {
    expect(cacheKey('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});
