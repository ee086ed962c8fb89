import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { duckdbWith } from '../src/index.ts';
import { execute, newFolder, openOver } from './opened.ts';

/** Views with their keys, if they have any. */
const VIEWS: Readonly<Record<string, readonly [definition: string, key?: string]>> = {
  all_columns: ['select * from t', 'id'],
  of_a_database: ['select "T".ID as "Number" from main.T', 'Number'],
  of_an_alias: ['select x.id, x.a from t as x', 'id'],
  after_another_id: ['select a + 1 as id, id from t', 'id_1'],
  beside_calls: ['select id, upper(a::varchar) as b, l[1] as c from t', 'id'],
  replaced: ['select * replace (a as id) from t'],
  excluded: ['select * exclude (a) from t'],
  unnested: ['select id, unnest(l) as item from t'],
  unnested_within: ['select id, 1 + unnest(l) as item from t'],
  unnested_by_a_macro: ['select id, generate_subscripts(l, 1) as place from t'],
  unnested_by_own_macro: ['select id, items_of(l) as item from t'],
  of_a_struct: ['select s.id from t'],
  of_its_alias: ['select s.id from t as s', 'id'],
  of_a_query_of_its_own: ['with t as (select a as id from t) select id from t'],
  of_renamed: ['select id from t as x(a, id, l, s)'],
  grouped_by_all: ['select id, count(*) as n from t group by all'],
  one_of_each: ['select distinct on (a) id from t'],
  sampled: ['select id from t using sample 2', 'id'],
  limited: ['select id from t limit 2', 'id'],
  ordered: ['select id from t order by a', 'id'],
  of_functions: ['select i as id from range(3) r(i)'],
};

it('views have the keys that they show of their table, and no others', async () => {
  const views = Object.entries(VIEWS).map(([name, [sql]]) => `create view ${name} as ${sql}`);
  const table =
    'create table t (id integer primary key, a integer, l integer[], s struct(id integer))';
  const { catalogue } = await openOver([
    table,
    'create macro items_of(x) as unnest(x)',
    "insert into t values (1, 1, [1, 2], {'id': 1})",
    ...views,
  ]);
  const found = Object.keys(VIEWS).map((name) => [
    name,
    catalogue
      .get(name)
      ?.key.map(({ column }) => column)
      .join(),
  ]);
  expect(found).toEqual(Object.entries(VIEWS).map(([name, [, key]]) => [name, key]));
});

it('a view varies with one that it names in other letters', async () => {
  const { catalogue } = await openOver([
    'create table t (id integer primary key)',
    'create view drawn as select id, random() as x from t',
    'create view above as select id, x from DRAWN',
  ]);
  expect(catalogue.get('above')?.varies).toBeDefined();
});

/** Tables with why they may show other rows each time, if they may. */
const TABLES: Readonly<Record<string, readonly [columns: string, reason?: string]>> = {
  t: [
    `id integer primary key, a integer, "first" integer, day timestamp default now(),
      n decimal(10, 2), real float, ids integer[], doubled integer as (a * 2), text text as (n)`,
  ],
  drawn: ['id integer, n integer default 1, x double as (random())', 'calls random'],
  dated: ['id integer, day date as (now()::date), twice integer as (id + id)', 'calls now'],
};

/** Views with why they may show other rows each time, if they may. */
const REASONS: Readonly<Record<string, readonly [definition: string, reason?: string]>> = {
  steady: [
    'select id, sum(a) as s, max("first") as m from t where id in (select id from t) group by id',
  ],
  with_sums: [
    'select sum(n) as n, sum(a // 2) as h, sum(a) filter (a > 1) as f, sum(n * 0.5) as p from t',
  ],
  with_a_rounded_sum: ['select sum(real) as s from t', 'adds up floating point numbers'],
  with_a_sum_of_halves: [
    'select id from (select id, a / 2 as n from t) group by id having sum(n) > 1',
    'adds up floating point numbers',
  ],
  above_a_rounded_sum: ['select s from with_a_rounded_sum', 'adds up floating point numbers'],
  above_a_drawn_column: ['select id from drawn', 'calls random'],
  with_a_clock: ['select id, current_timestamp as x from t', 'calls current_timestamp'],
  with_a_day: ['select id, current_date as x from t', 'calls current_date'],
  with_an_age: ['select id, age(day) as x from t', 'calls age'],
  with_an_hour: ['select id, current_localtime() as x from t', 'calls current_localtime'],
  with_a_moment: [
    'select id, current_localtimestamp() as x from t',
    'calls current_localtimestamp',
  ],
  with_time_gone: ['select id, ago(interval 1 day) as x from t', 'calls ago'],
  with_a_setting: ["select id, current_setting('threads') as x from t", 'calls current_setting'],
  with_a_variable: ["select id, getvariable('x') as x from t", 'calls getvariable'],
  with_a_transaction: ['select id, txid_current() as x from t', 'calls txid_current'],
  with_calls: ['select id, list_sum([a]) as s, nullif(a, 1) as n, strlen(text) as l from t'],
  with_json: ['select a, json_group_array(id) as ids from t group by a', 'calls json_group_array'],
  with_chance: ['select id from t where exists (select random())', 'calls random'],
  with_lists: ['select a, list(id) as ids from t group by a', 'calls list'],
  with_an_own_macro: ['select id, twice(a) as b from t', 'calls twice'],
  numbered: ['select id, row_number() over () as n from t', 'numbers rows'],
  sampled: ['select id from t using sample 2', 'shows some of its rows'],
  limited: ['select id from (select id from t limit 2)', 'shows some of its rows'],
  one_of_each: ['select distinct on (a) id from t', 'shows one of several rows'],
  distinct_rows: ['select distinct id from t'],
  of_functions: ['select i as id from range(3) r(i)', 'reads what is no table'],
  above: ['select id from steady union all select id from numbered', 'numbers rows'],
};

it('views and generated columns say why they may show other rows each time', async () => {
  const path = join(newFolder(), 'reasons.duckdb');
  await execute(
    [
      ...Object.entries(TABLES).map(([name, [columns]]) => `create table ${name} (${columns})`),
      'create macro twice(x) as x * 2',
      ...Object.entries(REASONS).map(([name, [sql]]) => `create view ${name} as ${sql}`),
    ],
    path,
  );
  const kind = duckdbWith({});
  const source = await kind.open(`duckdb:${path}`, {});
  onTestFinished(() => source.close());
  const relations = await source.introspect();
  const found = relations.map(({ name, unversioned }) => [name, unversioned?.split(',')[0]]);
  const expected = Object.entries({ ...TABLES, ...REASONS }).map(([name, [, reason]]) => [
    name,
    reason,
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});

it('a view is not served where it or what it reads has a collation, by which eq would compare', async () => {
  const path = join(newFolder(), 'collated.duckdb');
  const statements = [
    'create table t (id integer primary key, name text)',
    'create table collated (id integer primary key, name text collate nocase)',
    'create view plain as select id, name from t',
    'create view with_one as select id, name\ncollate nocase as name from t',
    'create view of_a_table as select id, name from COLLATED',
    'create view of_a_view as select t.id, v.name from t join of_a_table as v using (id)',
    'create macro folded(x) as x::text collate nocase',
    'create macro nested(x) as folded(x)',
    'create macro rows_of(n) as table select n as id, folded(n) as name',
    'create view of_a_macro as select id, nested(name) as name from t',
    'create view of_rows as select id, name from rows_of(1)',
    'create schema s',
    'use s',
    'create table own (id integer primary key, name text collate nocase)',
    'create view beside as select id, name from own',
  ];
  await execute(statements, path);
  const source = await duckdbWith({}).open(`duckdb:${path}`, {});
  onTestFinished(() => source.close());
  const relations = await source.introspect();
  const served = relations.filter(({ unusable }) => unusable === undefined);
  expect(served.map(({ name }) => name)).toEqual(['plain', 't']);
});
