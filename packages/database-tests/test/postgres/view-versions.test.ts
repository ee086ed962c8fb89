import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { bodyOf, open } from '../open.ts';
import { usePostgres } from './server.ts';

const BASE = `
  create type mood as enum ('happy', 'sad');
  create table plain (id int primary key, a numeric, word text, at timestamptz, feels mood);
  insert into plain select n, n, 'word ' || n, '2026-01-01', 'sad' from generate_series(1, 30) as n;
  create table guarded (id int primary key); alter table guarded enable row level security;
  create table parent (id int primary key); create table child () inherits (parent);
  create materialized view kept as select id from plain;
  create function own(n int) returns int immutable language sql as 'select n';
  create function pg_catalog.disguised(n int) returns int immutable language sql as 'select n';
  create operator === (leftarg = int, rightarg = int, function = int4eq);
  create domain positive as int check (value > 0);
  create extension file_fdw; create server files foreign data wrapper file_fdw;
  create foreign table afar (id int) server files options (program 'echo 1');
  create view below as select id, word from plain where id > 0;
  create view moving as select id, now() as moment from plain;
  create table family (id int primary key); create table heir () inherits (family);
  alter table heir enable row level security;
  create function unsaid(n int) returns int language sql as 'select n';
  create function steady(n int) returns int stable language sql as 'select n';
  create function guarded_by() returns setof plain security definer language plpgsql
    as 'begin return query select * from plain; end';
  create function differs(a int, b int) returns boolean language plpgsql as 'begin return a <> b; end';
  create operator <!> (leftarg = int, rightarg = int, function = differs);
  create function added(s int, n int) returns int language plpgsql as 'begin return s + n; end';
  create aggregate summed (int) (sfunc = added, stype = int, initcond = '0');
  create function rank_of(m mood) returns int language plpgsql as 'begin return 1; end';
  create cast (mood as int) with function rank_of(mood);
  create type whim;
  create function whim_in(cstring) returns whim volatile language internal as 'textin';
  create function whim_out(whim) returns cstring immutable language internal as 'textout';
  create type whim (input = whim_in, output = whim_out, like = text);
  create type blurt;
  create function blurt_in(cstring) returns blurt immutable language internal as 'textin';
  create function blurt_out(blurt) returns cstring volatile language internal as 'textout';
  create type blurt (input = blurt_in, output = blurt_out, like = text);
  create sequence counting;
  create view shifting as select id, random() as chance from plain;
  create table closed (id int primary key, word text); alter table closed enable row level security;
  create policy few on closed using (unsaid(id) < 3);
  create policy writers on closed for insert with check (true);
  create table owned (id int primary key, word text); alter table owned enable row level security;
  create policy owners on owned using (word = current_user);
  create policy writers on owned for update using (random() < 0.5);`;

/** Views whose rows change only with the tables that they read. */
const ALLOWED = [
  'select id from plain',
  'select id, a + 1 as b, upper(word) as c, a::int as d from plain where id between 1 and 20',
  `select id, case when id > 3 then 'x {FUNCEXPR :funcid 1299}' else coalesce(word, '?') end as c from plain`,
  `select id, word as "odd :relkind m {NEXTVALUEEXPR" from plain`,
  'select p.id, b.word from plain p left join below b using (id) where p.at is not null',
  'select id from plain where id in (select id from below) and exists (select from plain q)',
  'select id, nullif(id, 3) as n, array[id, 2] as many, word is distinct from $$a$$ as d from plain',
  'select id from plain union all select -id from below',
  'with w as (select id, feels from plain) select id from w where feels = $$sad$$ order by id',
  'select n as id from generate_series(1, 3) as n',
  'select id, (a > 3) is true as t, word collate "C" as w, word like $$a%$$ as l from plain',
  `select id from plain where at < '2027-01-01 00:00:00+00'`,
];

/** Views whose rows may change without a commit, or are not known not to. */
const REFUSED = [
  'select id, now() as x from plain',
  'select id from plain where at < current_timestamp',
  'select id, current_date as x from plain',
  'select id, current_user as x from plain',
  'select id, random() as x from plain',
  'select id, clock_timestamp() as x from plain',
  `select id, current_setting('work_mem') as x from plain`,
  `select id, to_char(at, 'YYYY') as x from plain`,
  `select id, date_trunc('day', at) as x from plain`,
  'select id, at::date as x from plain',
  'select id, at::text as x from plain',
  'select id, feels::text as x from plain',
  `select id, at + interval '1 day' as x from plain`,
  `select id, 'now'::text::timestamptz as x from plain`,
  'select id, own(id) as x from plain',
  'select id, pg_catalog.disguised(id) as x from plain',
  'select id from plain where id === 3',
  'select id, id::positive as x from plain',
  'select id from plain tablesample bernoulli (50)',
  'select id from plain limit 10',
  'select id from plain offset 1',
  'select distinct on (feels) id from plain',
  'select distinct id from plain',
  'select id from plain union select id from below',
  'select id, row_number() over () as x from plain',
  'select max(id) as id, string_agg(word, $$,$$) as x from plain',
  'select id from plain group by id',
  'select id, array(select word from plain) as x from plain',
  'with recursive r (id) as (select 1 union all select id + 1 from r where id < 3) select id from r',
  'select id from guarded',
  'select id from parent',
  'select id from kept',
  'select id from afar',
  'select id from moving',
  'select oid::int8 as id from pg_class',
  'select p.id from plain p join moving using (id)',
  'select id from plain for share',
  'select id, xmax::text::int8 as x from plain',
  'select id, xmin = $$3$$ as x from plain',
  'select id from plain where ctid > $$(0,3)$$',
  'select id, tableoid as x from plain',
];

/** Views that may differ within a snapshot. */
const VARYING = [
  'select id, random() as x from plain',
  'select id from plain where at < clock_timestamp()',
  'select id from plain where at < statement_timestamp()',
  'select unsaid(id) as id from plain',
  'select id from guarded_by()',
  'select id from plain where id <!> 3',
  'select summed(id) as id from plain',
  'select id, feels::int as x from plain',
  'select id, word::whim as x from plain',
  'select id, word::blurt as x from plain',
  'select id, array(select unsaid(p.id) from plain p) as x from plain',
  'with w as (select id, gen_random_uuid() as u from plain) select id from w',
  'select id, summed(id) over (order by id) as x from plain',
  'select id from plain tablesample bernoulli (50)',
  'select last_value as id from counting',
  'select id from shifting',
  'select id from plain where exists (select from shifting where chance > 0.5)',
  'select id from closed',
  'select pid as id from pg_locks',
  'select distinct on (word) id, word from plain',
  'select max(id) as id, string_agg(word, $$,$$ order by word) as x from plain group by a',
  'select max(id) as id, array_agg(word) as x from plain group by a',
  'select max(id) as id, sum(a::float8) as x from plain group by word',
  'select id, row_number() over (order by at) as x from plain',
  'select id, array(select p.word from plain p) as x from plain',
  'select id from plain limit 10',
  'select id from plain offset 10',
];

const STEADY = [
  'select id from plain',
  'select id, now() as x, current_user as u from plain where at < current_timestamp',
  `select id, at::text as x, feels::text as y, 'now'::text::timestamptz as z from plain`,
  'select steady(id) as id, id::positive as x, to_char(at, $$YYYY$$) as y from plain',
  'select id from plain tablesample bernoulli (50) repeatable (1)',
  'select distinct id, word as "x :funcid 1598 {FUNCEXPR :funcid 1598" from plain',
  'select max(id) as id, count(*) as x, sum(a) as y, bool_or(a > 3) as z from plain group by word',
  'select id from owned',
  'select oid::int8 as id from pg_class',
  'select n as id from generate_series(1, 3) as n',
];

const VIEWS = [...ALLOWED, ...REFUSED, ...VARYING, ...STEADY];

const nameOf = (sql: string): string => `v${VIEWS.indexOf(sql)}`;

describe('the versions of views on PostgreSQL', () => {
  const postgres = usePostgres(`set allow_system_table_mods = on; ${BASE}`);
  let engine: Engine;
  beforeAll(async () => {
    const views = VIEWS.map((sql, index) => `create view v${index} as ${sql}`);
    await postgres().client(views.join(';\n'));
    const names = [...VIEWS.keys()].map((index) => `v${index}`);
    const settings = { key: ['id'], distributed: 'approximate' } as const;
    const models = Object.fromEntries([...names, 'family'].map((name) => [name, settings]));
    engine = await open(postgres().url, { models });
  });

  const isVersioned = (sql: string): boolean | undefined =>
    engine.catalogue.get(nameOf(sql))?.versioned;
  const varies = (name: string): boolean => engine.catalogue.get(name)?.varies !== undefined;

  it.each(ALLOWED)('are those of its tables for: %s', (sql) => {
    expect(isVersioned(sql)).toBe(true);
  });

  it.each(REFUSED)('are unknown for: %s', (sql) => {
    expect(isVersioned(sql)).toBe(false);
  });

  it('are refused with the reason', () => {
    const reasons = REFUSED.map(
      (_, index) => engine.catalogue.get(`v${ALLOWED.length + index}`)?.unversioned,
    );
    expect(reasons.every((reason) => /^it [a-z ,()-]+$/i.test(reason ?? ''))).toBe(true);
  });

  it('are unknown for tables that have row security, or whose child has it', () => {
    const isKnown = ['plain', 'guarded', 'family'].map(
      (name) => engine.catalogue.get(name)?.versioned,
    );
    expect(isKnown).toEqual([true, false, false]);
  });

  it.each(VARYING)('are none where a view varies within a snapshot: %s', async (sql) => {
    expect(varies(nameOf(sql))).toBe(true);
    const body = bodyOf({ model: nameOf(sql), attributes: ['id'], size: 1 });
    expect((await engine.query(body, EVERYTHING)).version).toBeUndefined();
  });

  it.each(STEADY)('are of a view that is the same throughout a snapshot: %s', (sql) => {
    expect(varies(nameOf(sql))).toBe(false);
  });

  it('are none where row security varies within a snapshot, whichever role it is for', () => {
    expect(['plain', 'owned', 'closed'].map(varies)).toEqual([false, false, true]);
  });
});
