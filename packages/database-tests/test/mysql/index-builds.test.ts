import type { Engine } from '@proj/engine';
import { beforeAll, expect, it } from 'vitest';

import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { ask, open } from '../open.ts';
import { describeMariadb, useMariadb } from './mariadb.ts';

const SQL = `
  create table things (
    id int primary key,
    few int not null,
    word varchar(40) not null,
    note text,
    index (word)
  );
  insert into things
  select seq, seq % 3, concat('word ', seq % 1000), seq from seq_1_to_32000;
  create table small (id int primary key, few int not null, note text);
  insert into small select id, few, note from things where id <= 5000;
  create table wide (
    id int primary key,
    street varchar(255) not null,
    city varchar(255) not null,
    country varchar(255) not null,
    index (street, city, country)
  ) character set utf8mb4;
  insert into wide
  select id, concat('street ', few), word, note from things where id <= 8000;
  analyze table things, small, wide`;

/** Temporary tables and sorts that went to disk, of all sessions. */
const ON_DISK = `
  select sum(variable_value) from information_schema.global_status
  where variable_name in ('CREATED_TMP_DISK_TABLES', 'SORT_MERGE_PASSES')`;

const ACCELERATION = { pageIndexMinOffset: 100, replyCache: false };

/** To look at the schema takes temporary tables on disk. */
const SETTINGS = { acceleration: ACCELERATION, schemaCheckMs: 600_000 };

describeMariadb('building page indexes on MariaDB', () => {
  const mariadb = useMariadb(SQL);
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url, SETTINGS);
  });

  it.each([
    {
      order: 'a list that fits into memory',
      list: { model: 'small', sort: ['few'] },
      outcome: 'built' as const,
    },
    {
      order: 'a long list without an index',
      list: { model: 'things', sort: ['few'] },
      outcome: 'refused' as const,
    },
    {
      order: 'texts that may be too long to be sorted as they compare',
      list: { model: 'small', sort: ['note'] },
      outcome: 'refused' as const,
    },
  ])('of $order: $outcome', async ({ list, outcome }) => {
    expect(await deepPagesOf(engine, list)).toEqual(onlyEnded(outcome));
  });

  it.each([
    { model: 'things' },
    { model: 'things', sort: ['word'] },
    { model: 'wide', sort: ['street', 'city', 'country'] },
  ])('puts nothing on disk while it walks along the list %j', async (list) => {
    await ask(engine, { ...list, attributes: ['id'], page: 1 });
    const before = await mariadb().client(ON_DISK);
    expect(await deepPagesOf(engine, list)).toEqual(onlyEnded('built'));
    expect(await mariadb().client(ON_DISK)).toBe(before);
  });

  it('would be seen to put something on disk', async () => {
    const before = await mariadb().client(ON_DISK);
    await mariadb().client(
      'select count(n) from (select *, row_number() over (order by note) as n from things) as t',
    );
    expect(Number(await mariadb().client(ON_DISK))).toBeGreaterThan(Number(before));
  });

  it('lets a deep page be read from a key before it, along the index of its order', async () => {
    await ask(engine, { model: 'things', sort: ['word'], attributes: ['id'], page: 250 });
    const log = await mariadb().log();
    const statement =
      log.split('\n').findLast((line) => line.includes('Execute') && line.includes('>= ')) ?? '';
    expect(statement).toMatch(/`word` >= '.*' and \(`t`\.`word` > '.*' or \(`t`\.`word` = '/);
    const plan = await mariadb().client(`explain ${statement.replace(/^.*Execute\s/, '')}`);
    expect(plan).toMatch(/\trange\t.*\tword\t/);
    expect(plan).not.toMatch(/filesort|temporary/);
  });
});
