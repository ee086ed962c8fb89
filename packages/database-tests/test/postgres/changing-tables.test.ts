import { type Answer, type Engine, EVERYTHING } from '@proj/engine';
import { eachNth, newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { facetsBody } from '../databases/checked-facets.ts';
import { hitsOf, open } from '../open.ts';

const ROWS = 500;

const SQL = `
  create table numbers (id int primary key, n int not null);
  insert into numbers select id, 1 from generate_series(1, ${ROWS}) as id;
  create table parts (id int not null, n int not null) partition by range (id);
  create table low partition of parts for values from (0) to (10000);
  insert into parts select id, 1 from generate_series(1, ${ROWS}) as id;
  create table parents (id int primary key, n int not null);
  create table children () inherits (parents);
  insert into children select id, 1 from generate_series(1, ${ROWS}) as id;
  create view listed as select id, n from numbers;`;

const MODELS = ['numbers', 'parts', 'parents', 'listed'];

const FILES = `create extension file_fdw; create server files foreign data wrapper file_fdw`;

const ELSEWHERE = `(id int not null, n int not null) server files 
  options (program 'echo 10001,1', format 'csv')`;

/** What a table becomes, so that its rows may change while the data of the server does not. */
const CHANGES = [
  {
    is: 'has row security',
    models: ['numbers'],
    sql: `create policy late on numbers using (clock_timestamp() > '2026-01-01');
      alter table numbers enable row level security`,
  },
  {
    is: 'is a view of its name',
    models: ['numbers'],
    sql: `alter table numbers rename to gone;
      create view numbers as select id, (random() * n)::int as n from gone`,
  },
  {
    is: 'is a view of its name in a schema of its name',
    models: ['numbers', 'parts'],
    sql: `alter schema public rename to gone; create schema public;
      create view numbers as select id, (random() * n)::int as n from gone.numbers;
      create view parts as select id, (random() * n)::int as n from gone.numbers`,
  },
  {
    is: 'is a foreign table of its name',
    models: ['numbers'],
    sql: `${FILES}; alter table numbers rename to gone; create foreign table numbers ${ELSEWHERE}`,
  },
  {
    is: 'has its rows under another access method',
    models: ['numbers', 'parts', 'parents'],
    sql: `create access method heap2 type table handler heap_tableam_handler;
      alter table numbers set access method heap2;
      alter table low set access method heap2;
      alter table children set access method heap2`,
  },
  {
    is: 'is inherited by a foreign table',
    models: ['numbers', 'parents'],
    sql: `${FILES}; create foreign table afar ${ELSEWHERE};
      alter foreign table afar inherit numbers;
      create foreign table beyond ${ELSEWHERE};
      alter foreign table beyond inherit children`,
  },
  {
    is: 'has a foreign partition',
    models: ['parts'],
    sql: `${FILES}; create foreign table afar ${ELSEWHERE};
      alter table parts attach partition afar for values from (10000) to (20000)`,
  },
  {
    is: 'was a view, in whose place there is another',
    models: ['listed'],
    sql: `alter view listed rename to gone;
      create view listed as select id, (random() * n)::int as n from numbers`,
  },
];

/** What leaves a table one whose rows change with the data alone. */
const HARMLESS = [
  'truncate numbers, parts, parents, children',
  'alter table numbers rename to gone; create table numbers (id int primary key, n int)',
  'create table high partition of parts default; create table more () inherits (parents)',
  'grant select on numbers, parts, parents to public; alter table numbers set unlogged',
];

/** Near the beginning, deep, and past the end: each is read in another way. */
const PAGES = [1, 25, 49, 60];

describe('a table of PostgreSQL', () => {
  let database: TestDatabase;
  let engine: Engine;
  beforeEach(async () => {
    database = await newPostgresDatabase();
    await database.client(SQL);
    engine = await reopen();
  });
  afterEach(() => engine.close());

  /** The schema is read again only when a test says so. */
  const reopen = (schemaCheckMs = 600_000): Promise<Engine> =>
    open(database.url, {
      models: Object.fromEntries(
        MODELS.map((name) => [name, { key: ['id'], distributed: 'approximate' as const }]),
      ),
      schemaCheckMs,
      acceleration: { pageIndexMinOffset: 20 },
    });
  const read = (model: string, page = 1, reader = engine): Promise<Answer> => {
    const body = { query_model: model, query_attributes: ['id', 'n'], page: { page, size: 10 } };
    return reader.query(body, EVERYTHING);
  };
  /** Whether each way to read a model gives a version. */
  const versionsOf = async (model: string): Promise<boolean[]> => {
    const facets = await engine.facets(
      facetsBody({ model, facets: [{ attribute: 'n', bins: 2 }] }),
      EVERYTHING,
    );
    const pages = await Promise.all(PAGES.map((page) => read(model, page)));
    return [facets, ...pages].map(({ version }) => version !== undefined);
  };
  const ALL = Array.from({ length: PAGES.length + 1 }, () => true);
  const NONE = ALL.map(() => false);
  const hits = (): number => hitsOf(engine, 'reply_cache');

  it.each(eachNth(2, CHANGES))(
    'has no version, and no kept reply, from the moment at which it $is',
    async ({ models, sql }) => {
      const forward = await reopen();
      const pages = Array.from({ length: 8 }, (_, index) => index + 1);
      for (const model of models) {
        expect(await versionsOf(model)).toEqual(ALL);
        for (const page of pages) await read(model, page, forward);
      }
      await database.client(sql);
      // Pages behind others leave out what was proven.
      for (const model of models) expect((await read(model, 9, forward)).version).toBeUndefined();
      await forward.close();
      const before = hits();
      for (const model of models) {
        expect(await versionsOf(model)).toEqual(NONE);
        expect(await versionsOf(model)).toEqual(NONE);
      }
      expect(hits()).toBe(before);
    },
  );

  it('keeps its version with whatever leaves its rows in heaps of the server', async () => {
    for (const sql of HARMLESS) {
      await database.client(sql);
      for (const model of ['numbers', 'parts', 'parents'])
        expect([sql, await versionsOf(model)]).toEqual([sql, ALL]);
    }
  });

  it('has a version again when the schema was read after it had got its first child', async () => {
    await engine.close();
    engine = await reopen(50);
    await database.client('create table child () inherits (numbers)');
    await expect.poll(() => versionsOf('numbers')).toEqual(ALL);
  });

  it('has no version on a server that has loaded Citus, which may move its rows elsewhere', async () => {
    expect(await versionsOf('numbers')).toEqual(ALL);
    await database.client(`
      do $$ begin
        execute format('alter database %I set citus.shard_count = 32', current_database());
      end $$;
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await expect.poll(() => read('numbers')).toBeDefined();
    for (const model of MODELS) expect(await versionsOf(model)).toEqual(NONE);
  });
});
