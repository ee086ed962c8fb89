import { describe, expect, it } from 'vitest';

import { FollowedRelation } from './followed-relations.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
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
  statisticsBegan: '0',
  stamp: { sql: '', parameters: [] },
};

const INSERTED = { rows: [{ came: ['1'] }], truncated: false };

const versionOf = (relation: FollowedRelation, snapshot: string) =>
  relation.version(TransactionSnapshot.parse(snapshot));

function stamp(instance: string, fingerprint: string) {
  return stampOf(['11:11:', '0/1', instance, fingerprint]);
}

describe('a followed relation', () => {
  it('has no version until it is known with which transaction its log begins', () => {
    const relation = new FollowedRelation(SCHEMA, '1');
    relation.log.append({ xid: 10n, ...INSERTED });
    relation.log.append({ xid: 12n, ...INSERTED });
    expect(versionOf(relation, '13:13:')).toBeUndefined();
    relation.log.begin(10n);
    expect(versionOf(relation, '10:13:10')).toBeUndefined();
    const versions = ['11:13:12', '13:13:'].map((text) => versionOf(relation, text));
    expect(versions).toEqual([`feed ${relation.name} 10`, `feed ${relation.name} 12`]);
  });

  it('is not described by the stamp of another schema or of another server', () => {
    const relation = new FollowedRelation(SCHEMA, '1');
    relation.log.begin(10n);
    expect(relation.describes(stamp('server', 'other'))).toBe(false);
    expect(relation.describes(stamp('other', 'schema'))).toBe(false);
    expect(relation.describes(stamp('server', 'schema'))).toBe(true);
    expect(versionOf(relation, '11:11:')).toBe(`feed ${relation.name} 10`);
  });

  it('has another name on another server, with another schema, and once the server has crashed', () => {
    const others = [
      SCHEMA,
      { ...SCHEMA, instance: 'other' },
      { ...SCHEMA, fingerprint: 'other' },
      { ...SCHEMA, statisticsBegan: '1' },
      { ...SCHEMA, relation: { ...SCHEMA.relation, oid: 2 } },
    ];
    expect(new Set(others.map((schema) => new FollowedRelation(schema, '1').name)).size).toBe(5);
    expect(new FollowedRelation(SCHEMA, '2').name).toBe(new FollowedRelation(SCHEMA, '1').name);
  });

  it('has no version once its changes are no longer listened to', () => {
    const relation = new FollowedRelation(SCHEMA, '1');
    relation.log.begin(10n);
    relation.replace();
    expect(versionOf(relation, '11:11:')).toBeUndefined();
  });
});
