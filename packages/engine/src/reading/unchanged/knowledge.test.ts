import { describe, expect, it } from 'vitest';

import { pageOf, queryOf } from '../../../test/page-questions.ts';
import { CacheStore } from '../../cache-store.ts';
import { DataVersions } from '../sharing/data-version.ts';
import { Knowledge } from './knowledge.ts';

const QUERY = queryOf();

function createKnowledge() {
  const versions = new DataVersions({ scopeOf: () => '', current: async () => '7' });
  return new Knowledge({ versions, store: new CacheStore(10_000) });
}

describe('a total', () => {
  it('is known from the read that brought it on, for all queries with the same records', () => {
    const knowledge = createKnowledge();
    expect([knowledge.total(QUERY), knowledge.bytes]).toEqual([undefined, 0]);
    knowledge.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    expect(knowledge.total(QUERY)).toEqual({ total: 5n, version: '1' });
    expect(knowledge.total(queryOf({ list: 'other' }))).toBeUndefined();
    expect(knowledge.bytes).toBeGreaterThan(200);
  });

  it('is not learned from a read that reports no version', () => {
    const knowledge = createKnowledge();
    knowledge.learn(QUERY, pageOf({ version: undefined }));
    expect([knowledge.total(QUERY), knowledge.bytes]).toEqual([undefined, 0]);
    knowledge.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knowledge.learn(QUERY, pageOf({ version: undefined }));
    expect(knowledge.total(QUERY)).toEqual({ total: 5n, version: '1' });
  });

  it('is not returned once another version was seen, and is replaced by that of the next read', () => {
    const knowledge = createKnowledge();
    knowledge.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knowledge.observe(QUERY, '2');
    expect(knowledge.total(QUERY)).toBeUndefined();
    knowledge.learn(QUERY, pageOf({ total: 6n, version: '2' }));
    expect(knowledge.total(QUERY)).toEqual({ total: 6n, version: '2' });
  });

  it('that is learned again is current again, though an older version was seen in between', () => {
    const knowledge = createKnowledge();
    knowledge.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    knowledge.observe(QUERY, '0');
    knowledge.learn(QUERY, pageOf({ total: 5n, version: '1' }));
    expect(knowledge.total(QUERY)).toEqual({ total: 5n, version: '1' });
  });
});

describe('knowledge', () => {
  it('locates pages from the nearer end of their list, where it has no index', () => {
    const knowledge = createKnowledge();
    const known = { total: 10_000n, version: '1' };
    const at = (offset: bigint) => knowledge.locate(QUERY, { size: 10, offset }, known);
    expect(at(4000n)).toMatchObject({ reversed: false, bindings: { offset: 4000n } });
    expect(at(6000n)).toMatchObject({ reversed: true, bindings: { offset: 3990n } });
    expect(at(10_000n)).toBeUndefined();
  });

  it('checks the version of the data', async () => {
    const knowledge = createKnowledge();
    expect(await knowledge.currentVersion(QUERY)).toBe('7');
  });
});
