import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { RelationLog } from '../../../../postgres/src/feed/changes/relation-log.ts';
import { urlOf } from '../server.ts';
import {
  followedVersion,
  openFollowing,
  readAll,
  readFollowed,
  RELATION_VERSION,
  reportedOf,
  until,
  useOwnFollowed,
} from './followed.ts';
import { holdCommits } from './held-commits.ts';

const SQL = `
  create table one (id int primary key, note text);
  insert into one values (1, 'old');
  create role follower login;
  create publication dynamic_query for table one`;

const ONE = ['public', 'one'];

const SENDERS = `select count(pg_terminate_backend(active_pid))::int from pg_replication_slots
  where slot_name like 'dynamic_query_%' and active_pid is not null`;

describe('the version of a followed relation', () => {
  const followed = useOwnFollowed(SQL);

  it('is another one after the slot was lost, and comes back by itself', async () => {
    const { source, sql } = followed();
    const before = await readFollowed(source, ONE);
    await sql.query(SENDERS);
    await sql.query(`update one set note = 'meanwhile'`);
    expect((await readAll(source, ONE)).version).not.toBe(before.version);
    const after = await readFollowed(source, ONE);
    expect(after.version).not.toBe(before.version);
    expect(after.text).toContain('meanwhile');
  });

  it('says nothing of a commit that no standby has confirmed yet, before it is seen', async () => {
    const { source, sql, server } = followed();
    const before = await readFollowed(source, ONE);
    const commits = await holdCommits(server);
    try {
      const hanging = sql.query(`update one set note = 'not confirmed'`);
      await commits.untilOneWaits();
      expect(await readFollowed(source, ONE)).toEqual(before);
      await commits.letGo();
      await hanging;
      const after = await readFollowed(source, ONE);
      expect(after.text).toContain('not confirmed');
      expect(after.version).not.toBe(before.version);
      expect(await followedVersion(source, ONE)).toBe(after.version);
    } finally {
      await commits.end();
    }
  });

  it('comes once the role of the feed has what it needs, without a restart', async () => {
    const { sql, server } = followed();
    const follow = { url: urlOf(server, 'follower') };
    const source = await openFollowing(server.url, { follow });
    expect((await readAll(source, ONE)).version).not.toMatch(RELATION_VERSION);
    await sql.query('alter role follower replication');
    const { version } = await readFollowed(source, ONE);
    await sql.query(`update one set note = note || '!'`);
    expect((await readFollowed(source, ONE)).version).not.toBe(version);
  });

  it('comes without TLS where that is only preferred, and nothing is reported of it', async () => {
    const source = await openFollowing(`${followed().server.url}?sslmode=prefer`);
    const reported = reportedOf(source);
    await readFollowed(source, ONE);
    expect(reported).toEqual(['following']);
  });

  it('goes while the relation is unlogged, and is another one afterwards', async () => {
    const { server, sql } = followed();
    await sql.query(`create publication everything for all tables`);
    await sql.query(`create table loose (id int primary key); insert into loose values (1)`);
    const relation = ['public', 'loose'];
    onTestFinished(async () => void (await sql.query('drop publication everything')));
    const source = await openFollowing(server.url, { follow: { publication: 'everything' } });
    const before = await readFollowed(source, relation);
    await sql.query('alter table loose set unlogged');
    for (let id = 2; id < 30; id++) {
      await sql.query('insert into loose values ($1)', [id]);
      const { text, version } = await readAll(source, relation);
      expect(text).toContain(`(${id})`);
      expect(version).not.toMatch(RELATION_VERSION);
    }
    await sql.query('alter table loose set logged');
    const after = await readFollowed(source, relation);
    expect(after.text).toContain('(29)');
    expect(after.version).not.toBe(before.version);
  });

  it('is not needed to read: the role that reads may be refused what a stamp takes', async () => {
    const { sql, server } = followed();
    await sql.query(`create role reader login; grant select (id, note) on one to reader`);
    const follow = { url: server.url };
    const source = await openFollowing(urlOf(server, 'reader'), { follow });
    const looked = vi.spyOn(RelationLog.prototype, 'begin');
    onTestFinished(() => looked.mockRestore());
    // The changes are followed, and reads have no part of it.
    await until(async () => {
      const { text, version } = await readAll(source, ONE);
      expect(text).toContain('(1,');
      expect(version).not.toMatch(RELATION_VERSION);
      expect(looked).toHaveBeenCalled();
    });
    for (let turn = 0; turn < 3; turn++)
      expect((await readAll(source, ONE)).version).not.toMatch(RELATION_VERSION);
  });

  it('is another one after the server has started anew', async () => {
    const { source, server } = followed();
    const before = await readFollowed(source, ONE);
    await server.restart();
    await until(() => readAll(source, ONE));
    const after = await readFollowed(source, ONE);
    expect(after.version).not.toBe(before.version);
  });
});
