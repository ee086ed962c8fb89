import { describe, expect, it } from 'vitest';

import { readAll, readFollowed, RELATION_VERSION, until, useFollowed } from './followed.ts';

/** Types whose text may change while the row does not, and those that hold one. */
const SHOWN = [
  ['regclass', 'pg_class'],
  ['regproc', 'now'],
  ['regprocedure', 'now()'],
  ['regoper', '|/'],
  ['regoperator', '+(int4,int4)'],
  ['regrole', 'postgres'],
  ['regnamespace', 'public'],
  ['regtype', 'int4'],
  ['regconfig', 'simple'],
  ['regdictionary', 'simple'],
  ['regcollation', '"C"'],
  ['aclitem', 'postgres=r/postgres'],
  ['money', '1'],
  ['regclass[]', '{pg_class}'],
  ['kind', 'pg_class'],
  ['kind[]', '{pg_class}'],
  ['pair', '(pg_class,1)'],
  ['span', '[pg_type,pg_class]'],
] as const;

/** What a table becomes, so that the log no longer says what it shows. */
const CHANGES = [
  { is: 'has row security', sql: 'alter table t enable row level security' },
  { is: 'has a foreign partition', sql: 'alter table t attach partition afar default' },
  {
    is: 'has a partition with another access method',
    sql: 'alter table low set access method heap2',
  },
  {
    is: 'is a view of its name',
    sql: 'alter table t rename to gone; create view t as select id, now() as n from gone',
  },
  { is: 'shows names of other objects', sql: `alter table t add named kind default 'pg_class'` },
];

describe('a relation', () => {
  const followed = useFollowed(`
    create publication dynamic_query for all tables;
    create domain kind as regclass;
    create type pair as (what kind, n int);
    create type span as range (subtype = regclass);
    create table plain (
      id int, d date, s timestamp, z timestamptz, i interval, n numeric, e int4range, a text[]
    );
    create access method heap2 type table handler heap_tableam_handler;
    create extension file_fdw; create server files foreign data wrapper file_fdw`);

  it.each(SHOWN)(
    'is not followed with a column of the type %s, whose text may become another by itself',
    async (type, value) => {
      const { source, sql } = followed();
      await sql.query(`drop table if exists shown; create table shown (id int, x ${type})`);
      await sql.query(`insert into shown values (1, '${value}')`);
      await sql.query('drop table if exists beside; create table beside (like plain)');
      // All that leads to following a relation begins earlier for this one.
      await until(async () => {
        await readAll(source, ['public', 'shown']);
        const beside = await readAll(source, ['public', 'beside']);
        expect(beside.version).toMatch(RELATION_VERSION);
      });
      const { version } = await readAll(source, ['public', 'shown']);
      expect(version).not.toMatch(RELATION_VERSION);
    },
  );

  it.each(CHANGES.map((change, index) => ({ ...change, index })))(
    'is not followed any more once it $is',
    async ({ sql: change, index }) => {
      const { source, sql } = followed();
      await sql.query(`create schema s${index}; set search_path = s${index}, public`);
      await sql.query(`
        create table t (id int, n int) partition by range (id);
        create table low partition of t for values from (0) to (10);
        insert into t values (1, 1);
        create foreign table afar (id int, n int) server files
          options (program 'echo 11,1', format 'csv')`);
      const relation = [`s${index}`, 't'];
      await readFollowed(source, relation);
      await sql.query(change);
      expect((await readAll(source, relation)).version).not.toMatch(RELATION_VERSION);
      await until(async () => expect(source.versions?.scopeOf?.([relation])).toBe(''));
      expect((await readAll(source, relation)).version).not.toMatch(RELATION_VERSION);
    },
  );
});
