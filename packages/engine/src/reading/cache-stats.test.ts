import { describe, expect, it } from 'vitest';

import { HitCounter, MECHANISMS, MechanismCounters } from './cache-stats.ts';

describe('a counter', () => {
  it('counts hits and misses, and reports what is in memory now', () => {
    let bytes = 1;
    const counter = new MechanismCounters().create('total_cache', () => bytes);
    for (const hit of [true, false, true]) counter.count(hit);
    bytes = 7;
    expect(counter.statistics).toMatchObject({ hits: 2, misses: 1, bytes: 7 });
    expect(new HitCounter('total_cache').statistics.bytes).toBe(0);
  });
});

describe('the counters of a chain', () => {
  it('report every mechanism under the name that the metrics have, unused ones too', () => {
    const counters = new MechanismCounters();
    counters.create('page_index', () => 5).count(true);
    const statistics = counters.statistics;
    expect(statistics.map(({ mechanism }) => mechanism)).toEqual([
      'short_page_proof',
      'total_cache',
      'count_batcher',
      'read_backwards',
      'page_index',
      'followed_total',
      'followed_index',
      'reply_cache',
      'single_flight',
    ]);
    const used = statistics.filter(({ hits, misses, bytes }) => hits + misses + bytes > 0);
    expect(used).toEqual([{ mechanism: 'page_index', hits: 1, misses: 0, bytes: 5 }]);
    expect(statistics[0]).toEqual({ mechanism: 'short_page_proof', hits: 0, misses: 0, bytes: 0 });
    expect(MECHANISMS).toHaveLength(9);
  });
});
