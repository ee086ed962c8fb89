import { describe, expect, it } from 'vitest';

import { followedVersion, readAll, readFollowed, useFollowed } from './followed.ts';

/** What changes all that a relation shows, mostly without a message in the change log. */
interface Change {
  readonly is: string;
  readonly setUp: string;
  readonly sql: string;
}

const TABLE = `create table t (id int primary key, amount int, note text);
  insert into t values (1, 10, 'a'), (2, 20, 'b')`;

const PARTITIONED = `create table t (id int primary key) partition by range (id);
  create table low partition of t for values from (0) to (10);
  create table high (id int primary key);
  insert into low values (1);
  insert into high values (11)`;

const CHANGES: readonly Change[] = [
  {
    is: 'rewritten by an alter',
    setUp: TABLE,
    sql: 'alter table t alter amount type bigint using amount * 1000',
  },
  { is: 'truncated', setUp: TABLE, sql: 'truncate t' },
  {
    is: 'truncated and loaded with frozen rows',
    setUp: `${TABLE}; create table source as select id + 100 from t`,
    sql: `begin; truncate t; copy t (id) from program 'echo 7' with (freeze); commit`,
  },
  { is: 'one column poorer', setUp: TABLE, sql: 'alter table t drop column note' },
  {
    is: 'one column richer, which has a value in all rows',
    setUp: TABLE,
    sql: `alter table t add more text default 'more'`,
  },
  {
    is: 'of an enum that has another name for a value',
    setUp: `create type mood as enum ('good'); create table t (id int primary key, mood mood);
      insert into t values (1, 'good')`,
    sql: `alter type mood rename value 'good' to 'fine'`,
  },
  {
    is: 'of a row type that loses an attribute',
    setUp: `create type pair as (a int, b int); create table t (id int primary key, pair pair[]);
      insert into t values (1, array[(1, 2)::pair])`,
    sql: 'alter type pair drop attribute b cascade',
  },
  {
    is: 'dropped and created again',
    setUp: TABLE,
    sql: 'drop table t; create table t (id int primary key)',
  },
  {
    is: 'replaced by another one of its name',
    setUp: `${TABLE}; create table other (id int primary key)`,
    sql: 'begin; alter table t rename to gone; alter table other rename to t; commit',
  },
  {
    is: 'in a schema that is replaced by another one of its name',
    setUp: TABLE,
    sql: `begin; alter schema SCHEMA rename to SCHEMA_gone; create schema SCHEMA;
      create table SCHEMA.t (id int primary key); commit`,
  },
  {
    is: 'given a partition',
    setUp: PARTITIONED,
    sql: 'alter table t attach partition high default',
  },
  {
    is: 'without a partition that it had',
    setUp: PARTITIONED,
    sql: 'alter table t detach partition low',
  },
  {
    is: 'without a partition that was detached while it was read',
    setUp: PARTITIONED,
    sql: 'alter table t detach partition low concurrently',
  },
  {
    is: 'no longer inherited from',
    setUp: `create table t (id int primary key); create table child () inherits (t);
      alter table child add primary key (id); insert into child values (1)`,
    sql: 'alter table child no inherit t',
  },
  {
    is: 'inherited from at another depth',
    setUp: `create table t (id int primary key); create table child (id int primary key) inherits (t);
      create table grandchild (id int primary key); insert into grandchild values (1)`,
    sql: 'alter table grandchild inherit child',
  },
  {
    is: 'written through a partition of a partition',
    setUp: `create table t (id int primary key) partition by range (id);
      create table high partition of t default partition by range (id);
      create table higher partition of high default`,
    sql: 'insert into higher values (1)',
  },
  {
    is: 'emptied through a partition',
    setUp: PARTITIONED,
    sql: 'truncate low',
  },
  {
    is: 'filled by a transaction that was prepared',
    setUp: TABLE,
    sql: `begin; insert into t values (3); prepare transaction 'SCHEMA'; commit prepared 'SCHEMA'`,
  },
];

/** What changes which rows a filter selects, or what a key means, without changing a row. */
const OTHER_MEANINGS: readonly Change[] = [
  {
    is: 'without the constraint of its key',
    setUp: TABLE,
    sql: 'alter table t drop constraint t_pkey',
  },
  {
    is: 'given another index',
    setUp: TABLE,
    sql: 'create index on t (amount)',
  },
  {
    is: 'given another constraint',
    setUp: TABLE,
    sql: 'alter table t add check (amount > 0)',
  },
  {
    is: 'of a type that compares its values by another function',
    setUp: `create extension if not exists citext schema public;
      create table t (id int primary key, mail public.citext)`,
    sql: `create or replace function public.citext_eq(public.citext, public.citext) returns boolean
      language c immutable strict parallel safe as '$libdir/citext', 'citext_eq'`,
  },
  {
    is: 'of a type that has another operator',
    setUp: `create extension if not exists citext schema public;
      create table t (id int primary key, mail public.citext)`,
    sql: `create operator SCHEMA.=== (leftarg = public.citext, rightarg = public.citext,
      function = public.citext_eq)`,
  },
];

describe('a followed relation has another version', () => {
  const followed = useFollowed('create publication dynamic_query for all tables');

  /** Reads a relation before a change, and at once after it. */
  async function readChanged({ setUp, sql, schema }: Omit<Change, 'is'> & { schema: string }) {
    const { source, sql: client } = followed();
    await client.query(`create schema ${schema}; set search_path = ${schema}`);
    await client.query(setUp);
    const relation = [schema, 't'];
    const before = await readFollowed(source, relation);
    for (const statement of sql.replaceAll('SCHEMA', schema).split('; '))
      await client.query(statement);
    return { relation, before, seen: await readAll(source, relation) };
  }

  it.each(CHANGES.map((change, index) => ({ ...change, schema: `s${index}` })))(
    'once it is $is',
    async ({ setUp, sql, schema }) => {
      const { source } = followed();
      const { relation, before, seen } = await readChanged({ setUp, sql, schema });
      const after = await readFollowed(source, relation);
      expect(after.text).not.toBe(before.text);
      expect([seen.version, after.version]).not.toContain(before.version);
      expect(await followedVersion(source, relation)).toBe(after.version);
    },
  );

  it.each(OTHER_MEANINGS.map((change, index) => ({ ...change, schema: `m${index}` })))(
    'once it is $is, though it shows the same',
    async ({ setUp, sql, schema }) => {
      const { before, seen } = await readChanged({ setUp, sql, schema });
      expect(seen.text).toBe(before.text);
      expect(seen.version).not.toBe(before.version);
    },
  );
});
