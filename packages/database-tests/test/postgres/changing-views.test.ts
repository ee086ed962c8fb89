import { type Acceleration, type Answer, type Engine, EVERYTHING } from '@proj/engine';
import { beforeRelease, until } from '@proj/test-servers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { hitsOf, open } from '../open.ts';
import { DataByVersion } from '../data-by-version.ts';
import { usePostgres } from './server.ts';

const ROWS = 1000;

/** How often the view changes beside its readers. */
const ROUNDS = beforeRelease ? 30 : 6;

const SQL = `
  drop table if exists numbers, others cascade;
  create table numbers (id int primary key, n int not null, at timestamptz not null);
  insert into numbers select id, 1, '2026-01-01' from generate_series(1, ${ROWS}) as id;
  create view listed as select id, n from numbers;
  create view above as select id, n + 0 as n from listed;
  create view moments as select id, clock_timestamp() as n from numbers;
  create view chances as select id, random() as n from numbers;
  create view settings as select id, current_setting('work_mem') as n from numbers;
  create view formats as select id, to_char(at, 'YYYY') as n from numbers`;

/** Near the beginning, deep, and past the end: each is read in another way. */
const PAGES = [1, 50, 90, 150];

describe('a view of PostgreSQL with a version', () => {
  const postgres = usePostgres();
  let engine: Engine;
  /** The schema is read again only when a test says so. */
  const reopen = async (
    schemaCheckMs = 600_000,
    acceleration: Partial<Acceleration> = { pageIndexMinOffset: 20 },
  ): Promise<Engine> => {
    const names = ['listed', 'above', 'moments', 'chances', 'settings', 'formats'];
    const models = Object.fromEntries(names.map((name) => [name, { key: ['id'] }]));
    return open(postgres().url, {
      models,
      schemaCheckMs,
      acceleration,
    });
  };
  beforeEach(async () => {
    await postgres().client(SQL);
    engine = await reopen();
  });
  afterEach(() => engine.close());

  const read = (model: string, page = 1): Promise<Answer> => {
    const body = { query_model: model, query_attributes: ['id', 'n'], page: { page, size: 10 } };
    return engine.query(body, EVERYTHING);
  };
  const versionsOf = (model: string): Promise<boolean[]> =>
    Promise.all(PAGES.map(async (page) => (await read(model, page)).version !== undefined));
  const EVERY_PAGE = PAGES.map(() => true);
  const NO_PAGE = PAGES.map(() => false);

  const hits = (): number => hitsOf(engine, 'reply_cache');

  it.each(['listed', 'above'])('is served from what is kept: %s', async (view) => {
    expect(await versionsOf(view)).toEqual(EVERY_PAGE);
    const first = await read(view);
    const before = hits();
    expect((await read(view)).result).toBe(first.result);
    expect(hits()).toBe(before + 1);
    await postgres().client('update numbers set n = 2 where id = 1');
    expect((await read(view)).result).toContain('{"id":1,"n":2}');
  });

  it('is not one that may change by itself, which is read each time', async () => {
    for (const view of ['moments', 'chances', 'settings', 'formats']) {
      expect([view, await versionsOf(view)]).toEqual([view, NO_PAGE]);
      await read(view);
      await read(view);
      expect([view, hits()]).toEqual([view, 0]);
    }
  });

  it.each([
    [
      'it asks for the time',
      'create or replace view listed as select id, (n * random())::int as n from numbers',
    ],
    [
      'it reads another table',
      `create table others as select * from numbers;
      create or replace view listed as select id, n from others`,
    ],
    ['its table has row security', 'alter table numbers enable row level security'],
    ['others inherit from its table', 'create table child () inherits (numbers)'],
  ])(
    'has none from the moment at which %s, as long as nobody has looked',
    async (_case, change) => {
      for (const view of ['listed', 'above']) expect(await versionsOf(view)).toEqual(EVERY_PAGE);
      await postgres().client(change);
      for (const view of ['listed', 'above']) {
        expect(await versionsOf(view)).toEqual(NO_PAGE);
        expect(await versionsOf(view)).toEqual(NO_PAGE);
      }
    },
  );

  it('has one again when its new definition was looked at', async () => {
    await engine.close();
    engine = await reopen(50);
    await postgres().client('create or replace view listed as select id, n + 1 as n from numbers');
    expect((await read('listed')).result).toContain('{"id":1,"n":2}');
    await expect.poll(() => versionsOf('listed')).toEqual(EVERY_PAGE);
    await postgres().client(
      'create or replace view listed as select id, (n * random())::int as n from numbers',
    );
    await expect.poll(() => engine.catalogue.get('listed')?.versioned).toBe(false);
  });

  it('never shows different data at one version while its table and its definition change', async () => {
    await engine.close();
    engine = await reopen(20);
    const data = new DataByVersion();
    const ended = new AbortController();
    const plain = await reopen(20, { replyCache: false, totalCache: false });
    const reading = [engine, engine, plain, plain].map((one) =>
      data.readWith(one, 'above', ended.signal),
    );
    const isEnough = (): boolean => data.seenAgain > 0 && data.without > 0;
    for (let round = 0; round < ROUNDS || !isEnough(); round++) {
      const factor = round % 3 === 0 ? '(random() * 100)::int' : String(round);
      await postgres().client(
        `create or replace view listed as select id, n * ${factor} as n from numbers where id < 50;
        update numbers set n = n + 1 where id < 50`,
      );
      const { reads } = data;
      await until(() => data.reads >= reads + reading.length);
      await postgres().client('update numbers set n = n + 1 where id < 50');
    }
    ended.abort();
    await Promise.all(reading);
    expect(data.differing).toEqual([]);
  });
});
