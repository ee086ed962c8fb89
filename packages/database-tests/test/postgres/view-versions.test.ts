import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
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
  create view moving as select id, now() as moment from plain;`;

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

describe('the versions of views on PostgreSQL', () => {
  const postgres = usePostgres(`set allow_system_table_mods = on; ${BASE}`);
  let engine: Engine;
  beforeAll(async () => {
    const views = [...ALLOWED, ...REFUSED].map((sql, index) => `create view v${index} as ${sql}`);
    await postgres().client(views.join(';\n'));
    const names = [...views.keys()].map((index) => [
      `v${index}`,
      { key: ['id'], distributed: 'approximate' },
    ]);
    engine = await open(postgres().url, { models: Object.fromEntries(names) });
  });

  const isVersioned = (sql: string): boolean | undefined =>
    engine.catalogue.get(`v${[...ALLOWED, ...REFUSED].indexOf(sql)}`)?.versioned;

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
});
