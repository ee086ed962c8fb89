import { until } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { connect } from '../server.ts';
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

/** What keeps changes from being sent, and how that ends. */
const CHANGES = [
  {
    does: 'leaves a table out',
    relation: ONE,
    change: 'alter publication dynamic_query drop table one',
    write: `insert into one values (2, 'unpublished')`,
    undo: 'alter publication dynamic_query add table one',
  },
  {
    does: 'leaves operations out',
    relation: TWO,
    change: `alter publication dynamic_query set (publish = 'insert')`,
    write: `update two set note = 'unpublished'`,
    undo: `alter publication dynamic_query set (publish = 'insert, update, delete, truncate')`,
  },
  {
    does: 'drops it',
    relation: TWO,
    change: 'drop publication dynamic_query',
    write: `insert into two values (3, 'unpublished')`,
    undo: 'create publication dynamic_query for table one, two',
  },
];

describe('a change of the publication', () => {
  const followed = useFollowed(SQL);

  it.each(CHANGES)(
    'that $does for a while hides nothing of what is written then',
    async ({ relation, change, write, undo }) => {
      const { source, sql } = followed();
      const before = await readFollowed(source, relation);
      await sql.query(change);
      await sql.query(write);
      expect((await readAll(source, relation)).version).not.toMatch(RELATION_VERSION);
      await sql.query(undo);
      const after = await readFollowed(source, relation);
      expect(after.text).not.toBe(before.text);
      expect(after.version).not.toBe(before.version);
    },
  );

  it('counts once the transactions have ended that wrote before it', async () => {
    const { source, sql, server } = followed();
    await readFollowed(source, ONE);
    const writer = await connect(server.url);
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
  });
});
