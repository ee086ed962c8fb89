import type { Engine } from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { deepPagesOf, onlyEnded } from '../index-builds.ts';
import { open } from '../open.ts';

const SCRIPT = `
  pragma journal_mode = wal;
  create table things (id integer primary key, few int not null, word text);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000)
  insert into things select i, i % 3, case when i % 5 > 0 then 'word ' || i % 1000 end from n;
  create index by_word on things (word);
  create table small (id integer primary key, few int not null);
  insert into small select id, few from things where id <= 5000`;

const ACCELERATION = { pageIndexMinOffset: 100, replyCache: false };

describe('building page indexes on SQLite', () => {
  let path: string;
  let engine: Engine;
  beforeAll(async () => {
    path = databaseFile(SCRIPT);
    const odd = { sql: 'nullif(t.few, 0)', type: 'int32', reads: 'row' } as const;
    engine = await open(`sqlite:${path}`, {
      acceleration: ACCELERATION,
      models: { small: { attributes: { odd } } },
    });
  });

  it.each([
    { order: 'the key', list: { model: 'things' }, outcome: 'built' as const },
    {
      order: 'an index with NULL',
      list: { model: 'things', sort: ['word'] },
      outcome: 'built' as const,
    },
    {
      order: 'a list that fits into memory',
      list: { model: 'small', sort: ['few'] },
      outcome: 'built' as const,
    },
    {
      order: 'a computed attribute with NULL',
      list: { model: 'small', sort: ['odd'] },
      outcome: 'built' as const,
    },
    {
      order: 'a long list without an index',
      list: { model: 'things', sort: ['few'] },
      outcome: 'refused' as const,
    },
  ])('of $order: $outcome', async ({ list, outcome }) => {
    expect(await deepPagesOf(engine, list)).toEqual(onlyEnded(outcome));
  });
});
