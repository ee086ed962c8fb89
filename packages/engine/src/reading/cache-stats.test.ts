import { describe, expect, it } from 'vitest';

import { callBy } from '../../test/page-questions.ts';
import { HitCounter, keptFor, MECHANISMS, MechanismCounters, useOf } from './cache-stats.ts';

describe('a counter', () => {
  it('counts hits and misses, and reports what is in memory now', () => {
    let bytes = 1;
    const counter = new MechanismCounters().create('total_cache', () => bytes);
    for (const hit of [true, false, true]) counter.count(hit);
    bytes = 7;
    expect(counter.statistics).toMatchObject({ hits: 2, misses: 1, bytes: 7 });
    expect(new HitCounter('total_cache').statistics.bytes).toBe(0);
    expect(new MechanismCounters().create('total_cache').statistics.bytes).toBe(0);
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

const SESSION = { role: 'tenant', settings: { a: '1' }, trusts: [] };

function askedBy(caller: string, foundFor?: string, role = 'tenant') {
  return useOf({ ...SESSION, role }, foundFor, callBy(caller));
}

it('counts for each role what its callers found of their own, of others, and not at all', () => {
  const counters = new MechanismCounters();
  const counter = counters.create('reply_cache');
  counter.count(true, askedBy('ann', 'ann'));
  for (const caller of ['bob', 'cid']) counter.count(true, askedBy(caller, 'ann'));
  counter.count(false, askedBy('ann'));
  counter.count(true, useOf(undefined, 'ann', callBy('ann')));
  counters.create('page_index').count(false, askedBy('ann', 'ann', 'other'));
  expect(counters.sessions).toEqual([
    { mechanism: 'reply_cache', role: 'tenant', hitsOfOwn: 1, hitsOfOthers: 2, misses: 1 },
    { mechanism: 'page_index', role: 'other', hitsOfOwn: 0, hitsOfOthers: 0, misses: 1 },
  ]);
});

it('keeps for callers of one role and equal settings alone, without their values', () => {
  const other = { ...SESSION, settings: { a: '2' } };
  const kept = [SESSION, { ...SESSION }, other].map(keptFor);
  expect(kept[0]).toEqual({ role: 'tenant', values: expect.stringMatching(/^[\w-]{43}$/) });
  expect([kept[1], keptFor(undefined)]).toEqual([kept[0], undefined]);
  expect(kept[2]?.values).not.toBe(kept[0]?.values);
});
