import { DatabaseSync } from 'node:sqlite';

import { type Acceleration, type Answer, type Engine, EVERYTHING } from '@proj/engine';
import { until } from '@proj/test-servers';
import { beforeRelease } from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { DataByVersion } from '../data-by-version.ts';
import { databaseFile, execute } from '../../../sqlite/test/database-file.ts';
import { open } from '../open.ts';

const ROWS = 4000;

/** How often the view changes beside its readers. */
const ROUNDS = beforeRelease ? 30 : 6;

const SINGLE = `
  create table single (id integer primary key, n int not null);
  insert into single select id, n from numbers`;

const LISTED = 'create view listed as select id, n from numbers';

const SQL = `
  pragma journal_mode = wal;
  create table numbers (id integer primary key, n int not null, at text not null);
  with recursive r (id) as (select 1 union all select id + 1 from r where id < ${ROWS})
  insert into numbers select id, 1, '2026-01-01' from r;
  ${SINGLE};
  ${LISTED};
  create view above as select id, n + 0 as n from listed;
  create view moments as select id, julianday('now') as n from numbers;
  create view chances as select id, random() as n from numbers;
  create view days as select id, date(at) as n from numbers;
  create view first as select id, n from numbers limit 1000`;

const VIEWS = ['listed', 'above', 'moments', 'chances', 'days', 'first'];

/** Near the beginning, deep, and past the end: each is read in another way. */
const PAGES = [1, 200, 390, 500];

const WITH_CHANCE = 'create view listed as select id, (n * abs(random() % 100)) as n from numbers';

// Before Node 24.10 it is not known what a view reads.
const isKnown = 'setAuthorizer' in DatabaseSync.prototype;

describe.skipIf(!isKnown)('a view of SQLite with a version, from Node 24.10 on,', () => {
  let path: string;
  let engine: Engine;
  /** The schema is read again only when a test says so. */
  const reopen = (
    schemaCheckMs = 600_000,
    acceleration: Partial<Acceleration> = { pageIndexMinOffset: 20 },
  ): Promise<Engine> => {
    const models = Object.fromEntries(VIEWS.map((name) => [name, { key: ['id'] }]));
    return open(`sqlite:${path}`, { models, schemaCheckMs, acceleration });
  };
  beforeAll(async () => {
    path = databaseFile(SQL);
    engine = await reopen();
  });
  /** Runs a script until the test ends, when another takes it back. */
  const change = (script: string, back: string): void => {
    execute(path, script);
    onTestFinished(() => execute(path, back));
  };
  const changeListed = (create: string): void =>
    change(`drop view listed; ${create}`, `drop view listed; ${LISTED}`);

  const read = (model: string, page = 1): Promise<Answer> => {
    const body = { query_model: model, query_attributes: ['id', 'n'], page: { page, size: 10 } };
    return engine.query(body, EVERYTHING);
  };
  const hasVersion = async (model: string): Promise<boolean[]> =>
    Promise.all(PAGES.map(async (page) => (await read(model, page)).version !== undefined));
  const EVERY_PAGE = PAGES.map(() => true);
  const NO_PAGE = PAGES.map(() => false);
  /** What was just written to has no version for a moment. */
  const settled = async (model: string): Promise<void> => {
    await expect.poll(() => hasVersion(model)).toEqual(EVERY_PAGE);
  };

  const hits = (): number =>
    engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache')?.hits ?? 0;

  it.each(['listed', 'above'])('is served from what is kept: %s', async (view) => {
    await settled(view);
    const first = await read(view);
    const before = hits();
    expect((await read(view)).result).toBe(first.result);
    expect(hits()).toBe(before + 1);
    change('update numbers set n = 2 where id = 1', 'update numbers set n = 1 where id = 1');
    expect((await read(view)).result).toMatch(/^\[\{"id":"1","n":"?2\b/);
  });

  it.each(['moments', 'chances', 'days', 'first'])(
    'is not one that may change by itself: %s is read each time',
    async (view) => {
      await settled('listed');
      const before = hits();
      expect(await hasVersion(view)).toEqual(NO_PAGE);
      expect(await hasVersion(view)).toEqual(NO_PAGE);
      expect(hits()).toBe(before);
    },
  );

  it('has none from the moment at which it asks for chance, though nobody has looked', async () => {
    await settled('above');
    changeListed(WITH_CHANCE);
    await settled('single');
    expect(await hasVersion('listed')).toEqual(NO_PAGE);
    expect(await hasVersion('above')).toEqual(NO_PAGE);
  });

  it('keeps its version when it is replaced by another that has one', async () => {
    await settled('listed');
    changeListed('create view listed as select id, n + 6 as n from numbers');
    await settled('above');
    expect((await read('above')).result).toMatch(/"id":"?1"?,"n":"?7"?/);
  });

  it.each([
    ['a view', 'drop view', 'create view single as select id, random() as n from numbers'],
    ['a virtual table', 'drop table', 'create virtual table single using fts5(id, n)'],
  ])('has none when %s has taken the place of a table', async (_, drop, create) => {
    await settled('single');
    change(`drop table single; ${create}`, `${drop} single; ${SINGLE}`);
    await settled('listed');
    expect(await hasVersion('single')).toEqual(NO_PAGE);
  });

  it('never shows different data at one version while its table and its definition change', async () => {
    engine = await reopen(20);
    const data = new DataByVersion();
    const ended = new AbortController();
    const plain = await reopen(20, { replyCache: false, totalCache: false });
    const reading = [engine, plain].map((one) => data.readWith(one, 'above', ended.signal));
    const others = new DataByVersion();
    reading.push(others.readWith(engine, 'chances', ended.signal));
    for (let round = 0; round < ROUNDS; round++) {
      const isByChance = round % 3 === 0;
      const factor = isByChance ? 'abs(random() % 100)' : String(round);
      execute(
        path,
        `begin immediate;
        drop view listed;
        create view listed as select id, n * ${factor} as n from numbers where id < 50;
        update numbers set n = n + 1 where id < 50;
        commit`,
      );
      const { reads } = data;
      await until(() => data.reads > reads + 2);
      execute(path, 'update numbers set n = n + 1 where id < 50');
      const { seenAgain, without } = data;
      await until(() => (isByChance ? data.without > without + 2 : data.seenAgain > seenAgain));
    }
    ended.abort();
    await Promise.all(reading);
    expect(data.differing).toEqual([]);
    expect(others.versions).toBe(0);
  });
});
