import { type Engine, EVERYTHING } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { usePostgres } from './server.ts';

const BASE = `
  create type mood as enum ('happy', 'sad');
  create table plain (id int primary key, a numeric, word text, at timestamptz, feels mood);
  insert into plain select n, n, 'word ' || n, '2026-01-01', 'sad' from generate_series(1, 30) as n;
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
  create domain positive as int check (value > 0);
  create sequence counting;
  create view moving as select id, random() as chance from plain;
  create table closed (id int primary key, word text); alter table closed enable row level security;
  create policy few on closed using (unsaid(id) < 3);
  create policy writers on closed for insert with check (true);
  create table owned (id int primary key, word text); alter table owned enable row level security;
  create policy owners on owned using (word = current_user);
  create policy writers on owned for update using (random() < 0.5);`;

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
  'select id from moving',
  'select id from plain where exists (select from moving where chance > 0.5)',
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

const VIEWS = [...VARYING, ...STEADY];

describe('a relation of PostgreSQL', () => {
  const database = usePostgres(BASE);
  let engine: Engine;
  beforeAll(async () => {
    const views = VIEWS.map((sql, index) => `create view v${index} as ${sql}`);
    await database().client(views.join(';\n'));
    const names = views.map((_, index) => [`v${index}`, { key: ['id'] }]);
    engine = await open(database().url, { models: Object.fromEntries(names) });
  });

  const varies = (name: string): boolean => engine.catalogue.get(name)?.varies !== undefined;
  const variesAs = (sql: string): boolean => varies(`v${VIEWS.indexOf(sql)}`);

  it.each(VARYING)('varies within a snapshot where it is: %s', async (sql) => {
    expect(variesAs(sql)).toBe(true);
    const model = `v${VIEWS.indexOf(sql)}`;
    const body = { query_model: model, query_attributes: ['id'], page: { page: 1, size: 1 } };
    expect((await engine.query(body, EVERYTHING)).version).toBeUndefined();
  });

  it.each(STEADY)('is the same throughout a snapshot where it is: %s', (sql) => {
    expect(variesAs(sql)).toBe(false);
  });

  it('varies within a snapshot where its row security does, whichever role it is for', () => {
    expect(['plain', 'owned', 'closed'].map(varies)).toEqual([false, false, true]);
  });
});
