import { describe, expect, it } from 'vitest';

import { pageOf, queryOf } from '../../../test/page-questions.ts';
import { CacheStore } from '../../cache-store.ts';
import { DataVersions } from '../sharing/data-version.ts';
import { KnownTotals } from './known-totals.ts';

const QUERY = queryOf();

function createKnowledge() {
  const versions = new DataVersions({ scopeOf: () => '', current: async () => '7' });
  return new KnownTotals(versions, new CacheStore(10_000));
}

describe('a total', () => {
  it('is known from the read that brought it on, for all queries with the same records', () => {
    const knownTotals = createKnowledge();
    expect([knownTotals.total(QUERY), knownTotals.bytes]).toEqual([undefined, 0]);
    knownTotals.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    expect(knownTotals.total(QUERY)).toEqual({ total: 5n, version: '1' });
    expect(knownTotals.total(queryOf({ list: 'other' }))).toBeUndefined();
    expect(knownTotals.bytes).toBeGreaterThan(200);
  });

  it('is of the caller who first had it counted, until the data changes', () => {
    const knownTotals = createKnowledge();
    const found = { total: 5n, version: '1' };
    for (const foundFor of ['a', 'b']) knownTotals.learn(QUERY, { ...found, foundFor });
    expect(knownTotals.total(QUERY)).toEqual({ ...found, foundFor: 'a' });
    knownTotals.learn(QUERY, { ...found, version: '2', foundFor: 'b' });
    expect(knownTotals.total(QUERY)?.foundFor).toBe('b');
  });

  it('is not learned from a read that reports no version', () => {
    const knownTotals = createKnowledge();
    knownTotals.learn(QUERY, pageOf({ version: undefined }));
    expect([knownTotals.total(QUERY), knownTotals.bytes]).toEqual([undefined, 0]);
    knownTotals.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knownTotals.learn(QUERY, pageOf({ version: undefined }));
    expect(knownTotals.total(QUERY)).toEqual({ total: 5n, version: '1' });
  });

  it('is not returned once another version was seen, and is replaced by that of the next read', () => {
    const knownTotals = createKnowledge();
    knownTotals.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knownTotals.versionOf(QUERY).observe('2');
    expect(knownTotals.total(QUERY)).toBeUndefined();
    knownTotals.learn(QUERY, pageOf({ total: 6n, version: '2' }));
    expect(knownTotals.total(QUERY)).toEqual({ total: 6n, version: '2' });
  });

  it('that is learned again is current again, though an older version was seen in between', () => {
    const knownTotals = createKnowledge();
    knownTotals.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knownTotals.versionOf(QUERY).observe('0');
    knownTotals.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    expect(knownTotals.total(QUERY)).toEqual({ total: 5n, version: '1' });
  });
});

describe('known totals', () => {
  it('locates pages from the nearer end of their list, where it has no index', () => {
    const knownTotals = createKnowledge();
    const known = { total: 10_000n, version: '1' };
    const at = (offset: bigint) => knownTotals.locate(QUERY, { size: 10, offset }, known);
    expect(at(4000n)).toMatchObject({ reversed: false, bindings: { offset: 4000n } });
    expect(at(6000n)).toMatchObject({ reversed: true, bindings: { offset: 3990n } });
    expect(at(10_000n)).toBeUndefined();
  });

  it('checks the version of the data', async () => {
    const knownTotals = createKnowledge();
    expect(await knownTotals.versionOf(QUERY).check()).toBe('7');
  });
});
