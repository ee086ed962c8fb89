import { DatabaseSync } from 'node:sqlite';

import { expect, it } from 'vitest';

import { introspect } from './introspect.ts';

const BASE = `
  create table plain (id integer primary key, a numeric, word text collate nocase, at text);
  create table shown (id integer primary key, made text as (upper(id)) virtual);
  create table "ODD ""limit""" (id integer primary key);
  create virtual table found using fts5 (word);
  create view below as select id, word from plain where id > 0;
  create view moving as select id, datetime('now') as moment from plain;`;

/** Views whose rows change only with the file. */
const ALLOWED = [
  'select id from plain',
  'select * from plain natural join shown',
  'select id, a + 1 as b, upper(word) as c, cast(a as text) as d from plain where id between 1 and 20',
  `select id, case when id > 3 then 'limit random()' else coalesce(word, '?') end as c from plain`,
  `select id, word as "random()" from plain -- limit 1`,
  'select p.id, b.word from PLAIN p left join Below b using (id) where p.at is not null',
  'select id from plain where id in (select id from below) and exists (select 1 from plain q)',
  `select id, nullif(id, 3) as n, word is distinct from 'a' as d, word ->> '$.a' as j from plain`,
  `with w as (select id, at from plain) select id from w where at > '2026' order by id desc`,
  `select id, word like 'a%' as l, word || 'x' collate rtrim as x, id & 3 as m from plain`,
  'select id from "ODD ""limit"""',
  `select id, substr(printf('%05d', id), 2) as t from plain where word glob 'a*'`,
];

/** Views whose rows may change without a commit, or are not known not to. */
const REFUSED = [
  `select id, datetime('now') as x from plain`,
  'select id, date(at) as x from plain',
  'select id from plain where at < current_timestamp',
  'select id, current_date as x from plain',
  'select id, strftime(at) as x from plain',
  'select id, unixepoch() as x from plain',
  'select id, random() as x from plain',
  'select id from plain order by random()',
  'select id, hex(randomblob(4)) as x from plain',
  'select id, changes() + total_changes() as x from plain',
  'select id, last_insert_rowid() as x from plain',
  'select id, sqlite_version() as x from plain',
  `select id, json_object('a', a) as x from plain`,
  'select id from plain limit 10',
  'select id from plain order by id limit 10 offset 1',
  'select distinct word as id from plain',
  'select id from plain union select id from below',
  'select id from plain union all select id from below',
  'select id from plain except select 1',
  'values (1), (2)',
  'select id, row_number() over () as x from plain',
  'select max(id) as id from plain',
  'select max(id, a) as id from plain',
  `select 1 as id, group_concat(word) as x from plain`,
  'select id from plain group by word',
  'select id, (select word from plain) as x from plain',
  'select id from plain where a is distinct from (select a from plain)',
  'with r (id) as (select 1 union all select id + 1 from r where id < 3) select id from r',
  'select rowid as id, word from found',
  'select 1 as id from plain, found',
  `select key as id from json_each('[1, 2]')`,
  'select p.id from plain p, json_each(p.word)',
  `select cid as id from pragma_table_info('plain')`,
  'select rowid as id, name from sqlite_schema',
  'select id from moving',
  'select p.id from plain p join moving using (id)',
  'select id, own(id) as x from plain',
  'select id from missing',
  'select id from plain where word collate elsewhere > 3',
];

const database = new DatabaseSync(':memory:');
const views = [...ALLOWED, ...REFUSED].map((sql, index) => `create view v${index} as ${sql}`);
database.exec([BASE, ...views].join('\n;'));
const relations = new Map(introspect(database).map((relation) => [relation.name, relation]));

const relationOf = (sql: string) => relations.get(`v${[...ALLOWED, ...REFUSED].indexOf(sql)}`);

/** What a view reads is known from Node 24.10 on; before, no view has a version. */
const isKnown = 'setAuthorizer' in database;

it.skipIf(!isKnown).each(ALLOWED)(
  'a view has the version of its file, from Node 24.10 on: %s',
  (sql) => {
    expect(relationOf(sql)).toMatchObject({ versioned: true });
    expect(relationOf(sql)).not.toHaveProperty('unversioned');
  },
);

it.each(REFUSED)('a view has no version, with the reason: %s', (sql) => {
  expect(relationOf(sql)?.versioned).toBe(false);
  expect(relationOf(sql)?.unversioned).toMatch(/^it [a-z ,()-]+$/i);
});

it('tables have the version of their file, and virtual ones do not', () => {
  expect(relations.get('plain')?.versioned).toBe(true);
  expect(relations.get('shown')?.versioned).toBe(true);
  expect(relations.get('found')?.versioned).toBe(false);
});
