import { until } from '@proj/test-servers';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import { readAll, readFollowed, RELATION_VERSION, useFollowed } from './followed.ts';

const SQL = `
  create table one (id int primary key, note text);
  create table two (id int primary key, note text);
  create table late (id int primary key, note text);
  insert into one values (1, 'old');
  insert into two values (1, 'old');
  create publication dynamic_query for table one, two`;

const [ONE, TWO, LATE] = [
  ['public', 'one'],
  ['public', 'two'],
  ['public', 'late'],
];

describe('a change of the publication', () => {
  const followed = useFollowed(SQL);

  it('that leaves a table out for a while hides none of its changes', async () => {
    const { source, sql } = followed();
    const before = await readFollowed(source, ONE);
    await sql.query('alter publication dynamic_query drop table one');
    await sql.query(`insert into one values (2, 'unpublished')`);
    expect((await readAll(source, ONE)).version).not.toMatch(RELATION_VERSION);
    await sql.query('alter publication dynamic_query add table one');
    const after = await readFollowed(source, ONE);
    expect(after.text).not.toBe(before.text);
    expect(after.version).not.toBe(before.version);
  });

  it('that leaves operations out for a while hides none of their changes', async () => {
    const { source, sql } = followed();
    const before = await readFollowed(source, TWO);
    await sql.query(`alter publication dynamic_query set (publish = 'insert')`);
    await sql.query(`update two set note = 'unpublished'`);
    expect((await readAll(source, TWO)).version).not.toMatch(RELATION_VERSION);
    await sql.query(
      `alter publication dynamic_query set (publish = 'insert, update, delete, truncate')`,
    );
    const after = await readFollowed(source, TWO);
    expect(after.text).not.toBe(before.text);
    expect(after.version).not.toBe(before.version);
  });

  it('counts once the transactions have ended that wrote before it', async () => {
    const { source, sql, server } = followed();
    await readFollowed(source, ONE);
    const writer = new Client({ connectionString: server.url });
    await writer.connect();
    try {
      await writer.query(`begin; insert into late values (1, 'before it was published')`);
      await sql.query('alter publication dynamic_query add table late');
      // It begins anew, and its slot is not made before that transaction has ended.
      const waiting = `select from pg_stat_activity
        where backend_type = 'walsender' and wait_event = 'transactionid'`;
      await until(async () => {
        await readAll(source, LATE);
        return (await sql.query(waiting)).rowCount === 1;
      });
      expect((await readAll(source, LATE)).version).not.toMatch(RELATION_VERSION);
      await writer.query('commit');
      const read = await readFollowed(source, LATE);
      expect(read.text).toContain('before it was published');
      await sql.query(`insert into late values (2, 'later')`);
      expect((await readFollowed(source, LATE)).version).not.toBe(read.version);
    } finally {
      await writer.end();
    }
  });

  it('that drops it ends the versions of relations, until it is there again', async () => {
    const { source, sql } = followed();
    const before = await readFollowed(source, TWO);
    await sql.query('drop publication dynamic_query');
    await sql.query(`insert into two values (3, 'unpublished')`);
    expect((await readAll(source, TWO)).version).not.toMatch(RELATION_VERSION);
    await sql.query('create publication dynamic_query for table one, two');
    const after = await readFollowed(source, TWO);
    expect(after.text).not.toBe(before.text);
    expect(after.version).not.toBe(before.version);
  });
});
