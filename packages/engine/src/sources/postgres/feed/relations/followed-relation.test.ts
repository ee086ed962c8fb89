import { describe, expect, it } from 'vitest';

import { FollowedRelation } from './followed-relation.ts';
import { stampOf } from './stamp.ts';

const SCHEMA = {
  relation: {
    oid: 1,
    schema: 2,
    members: [1],
    types: [],
    key: [{ name: 'id', type: 'bigint', equals: 'operator(pg_catalog.=)', isLeakproof: true }],
    isSeekable: true,
    columns: [],
    isFollowable: true,
    isPoliced: false,
  },
  instance: 'server',
  fingerprint: 'schema',
  stamp: { sql: '', parameters: [] },
};

const INSERTED = { rows: [{ came: ['1'] }], truncated: false };

function stamp(snapshot: string, instance = 'server', fingerprint = 'schema') {
  return stampOf([snapshot, '0/1', instance, fingerprint]);
}

describe('a followed relation', () => {
  it('has no version until it is known with which transaction its log begins', () => {
    const relation = new FollowedRelation(SCHEMA, 'a.1');
    relation.append({ xid: 10n, ...INSERTED });
    relation.append({ xid: 12n, ...INSERTED });
    expect(relation.version(stamp('13:13:'))).toBeUndefined();
    relation.beginLog(11n);
    expect(relation.version(stamp('10:13:10'))).toBeUndefined();
    const versions = ['11:13:12', '13:13:'].map((text) => relation.version(stamp(text)));
    expect(versions).toEqual(['feed a.1 1', 'feed a.1 2']);
  });

  it('has no version at the stamp of another schema or of another server', () => {
    const relation = new FollowedRelation(SCHEMA, 'a.1');
    relation.beginLog(11n);
    expect(relation.version(stamp('11:11:', 'server', 'other'))).toBeUndefined();
    expect(relation.version(stamp('11:11:', 'other'))).toBeUndefined();
    expect(relation.version(stamp('11:11:'))).toBe('feed a.1 0');
  });

  it('has no version once its changes are no longer listened to', () => {
    const relation = new FollowedRelation(SCHEMA, 'a.1');
    relation.beginLog(11n);
    relation.replace();
    expect(relation.version(stamp('11:11:'))).toBeUndefined();
  });
});
