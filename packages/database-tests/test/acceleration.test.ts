import { type Acceleration, type Engine, EVERYTHING } from '@proj/engine';
import { eachNth } from '@proj/test-servers';
import { beforeAll, describe, expect, it } from 'vitest';

import { databaseFile, execute } from '../../sqlite/test/database-file.ts';
import { ask, open } from './open.ts';

/** A test that counts or writes has a list of its own. */
const LISTS = 8;

const SCRIPT = `
  pragma journal_mode = wal;
  create table t (id integer primary key, name text);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into t select i, 'name ' || i from n;
  ${Array.from(
    { length: LISTS },
    (_, index) => `
      create table t${index} (id integer primary key, name text);
      insert into t${index} select * from t;`,
  ).join('')}
  create view now_and_then as select id, datetime('now') as moment from t`;

const MODELS = { now_and_then: { key: ['id'] } };

type Hits = Readonly<Record<string, number>>;

function hitsOf(engine: Engine): Hits {
  return Object.fromEntries(engine.statistics().map(({ mechanism, hits }) => [mechanism, hits]));
}

function openFile(path: string, acceleration: Partial<Acceleration> = {}): Promise<Engine> {
  return open(`sqlite:${path}`, { models: MODELS, acceleration });
}

interface List {
  readonly engine: Engine;
  readonly first: { readonly model: string; readonly attributes: string[]; readonly size: number };
  /** Runs SQL in which `$list` is the table. */
  readonly write: (sql: string) => void;
  /** How often the mechanisms have been of use since the list was given. */
  readonly hits: () => Hits;
}

/** Gives a list that nobody has asked for, of an engine that all of a group share. */
function useLists(acceleration: Partial<Acceleration> = {}): () => Promise<List> {
  const path = databaseFile(SCRIPT);
  let engine: Engine;
  let given = 0;
  beforeAll(async () => {
    engine = await openFile(path, acceleration);
  });
  return async () => {
    const model = `t${given++}`;
    const body = { query_model: 't', query_attributes: ['id'], page: { page: 1, size: 1 } };
    // What was just written to has no version for a moment.
    await expect
      .poll(async () => (await engine.query(body, EVERYTHING)).version)
      .not.toBeUndefined();
    const before = hitsOf(engine);
    return {
      engine,
      first: { model, attributes: ['id'], size: 10 },
      write: (sql) => execute(path, sql.replaceAll('$list', model)),
      hits: () =>
        Object.fromEntries(
          Object.entries(hitsOf(engine)).map(([name, hits]) => [name, hits - (before[name] ?? 0)]),
        ),
    };
  };
}

describe('kept replies', () => {
  const FIRST = { model: 't', attributes: ['id'], size: 10 };
  const BYTES = 50_000;
  let engine: Engine;
  beforeAll(async () => {
    engine = await openFile(databaseFile(SCRIPT), { memoryBytes: BYTES });
  });
  const hits = (): Hits => hitsOf(engine);

  it('begin empty with other memory, and stay with the same', async () => {
    await ask(engine, FIRST);
    engine.setCacheMemory(BYTES);
    await ask(engine, FIRST);
    expect(hits()['reply_cache']).toBe(1);
    engine.setCacheMemory(1);
    await ask(engine, FIRST);
    await ask(engine, FIRST);
    expect(hits()['reply_cache']).toBe(0);
    engine.setCacheMemory(BYTES);
    await ask(engine, FIRST);
    await ask(engine, FIRST);
    expect(hits()['reply_cache']).toBe(1);
  });

  it('take no more memory than the settings say', async () => {
    for (let page = 1; page <= 100; page++)
      await ask(engine, { ...FIRST, page, attributes: ['id', 'name'] });
    const kept = engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache');
    expect(kept?.bytes).toBeGreaterThan(0);
    expect(kept?.bytes).toBeLessThanOrEqual(BYTES);
  });
});

describe('by default', () => {
  const newList = useLists();

  it('a total is counted once for all pages of a list, in whatever order', async () => {
    const { engine, first, hits } = await newList();
    await ask(engine, first);
    for (const page of [2, 3, 500]) await ask(engine, { ...first, page });
    await ask(engine, { ...first, sort: ['name'] });
    expect(hits()['total_cache']).toBe(4);
  });

  it('a page past the end is empty with the exact total', async () => {
    const { engine, first, hits } = await newList();
    await ask(engine, first);
    expect(await ask(engine, { ...first, page: 501 })).toMatchObject({
      text: '[]',
      page: { total: '5000' },
    });
    expect(hits()['total_cache']).toBe(1);
  });

  it('the last page is read from the end', async () => {
    const { engine, first, hits } = await newList();
    await ask(engine, first);
    expect((await ask(engine, { ...first, page: 500 })).text).toContain('{"id":"5000"}]');
    expect(hits()['read_backwards']).toBe(1);
  });

  it('a reply is sent again with the same version until a write, which is in the next one', async () => {
    const { engine, first, hits, write } = await newList();
    const body = {
      query_model: first.model,
      query_attributes: ['id'],
      page: { page: 1, size: 1 },
    };
    const before = await engine.query(body, EVERYTHING);
    expect(before.version).toMatch(/^[\w-]{22}$/);
    const again = await engine.query(body, EVERYTHING);
    expect([again.result, again.version]).toEqual([before.result, before.version]);
    expect(hits()['reply_cache']).toBe(1);
    write('begin; delete from $list; rollback');
    expect((await engine.query(body, EVERYTHING)).page.total).toBe('5000');
    write('insert into $list (id) values (0)');
    const after = await engine.query(body, EVERYTHING);
    expect(after).toMatchObject({ result: '[{"id":"0"}]', page: { total: '5001' } });
    expect(after.version).not.toBe(before.version);
  });

  it('a write is in the total of another page, whose rows alone are read', async () => {
    const { engine, first, hits, write } = await newList();
    await ask(engine, first);
    await ask(engine, { ...first, page: 2 });
    expect(hits()['total_cache']).toBe(1);
    write('delete from $list where id > 4000');
    expect(await ask(engine, { ...first, page: 3 })).toMatchObject({ page: { total: '4000' } });
  });

  it('a write is in the total of a page past the end, for which no rows are read', async () => {
    const { engine, first, write } = await newList();
    await ask(engine, first);
    write('insert into $list select id + 5000, name from $list');
    const past = await ask(engine, { ...first, page: 501 });
    expect([past.page.total, past.records[0]]).toEqual(['10000', { id: '5001' }]);
  });

  it('a view has no version, since it may ask for the time, and is read anew each time', async () => {
    const { engine, hits } = await newList();
    const body = {
      query_model: 'now_and_then',
      query_attributes: ['id', 'moment'],
      page: { page: 1, size: 1 },
    };
    for (let times = 0; times < 3; times++)
      expect((await engine.query(body, EVERYTHING)).version).toBeUndefined();
    expect(hits()).toMatchObject({ total_cache: 0, reply_cache: 0, page_index: 0 });
  });
});

describe('deep pages', () => {
  // Kept replies of all the pages would need no index, however slowly that is built.
  const newList = useLists({ pageIndexMinOffset: 100, replyCache: false });

  it('get an index, through which the next ones are found until a write moves their rows', async () => {
    const { engine, first, hits, write } = await newList();
    const byName = { ...first, sort: ['name'] };
    await ask(engine, byName);
    await expect
      .poll(async () => {
        await ask(engine, { ...byName, page: 250 + Math.floor(Math.random() * 10) });
        return hits()['page_index'];
      })
      .toBeGreaterThan(0);
    const named = await ask(engine, { ...byName, page: 201, attributes: ['id', 'name'] });
    expect(named.text).toContain('[{"id":"28","name":"name 28"}');
    const before = await ask(engine, { ...byName, page: 211 });
    write("insert into $list select -id, 'a' from $list where id <= 10");
    await ask(engine, byName);
    const after = await ask(engine, { ...byName, page: 212 });
    expect(after).toMatchObject({ text: before.text, page: { total: '5010' } });
  });
});

const SWITCHES = [
  { setting: 'shortPageProof', mechanisms: ['short_page_proof'] },
  { setting: 'totalCache', mechanisms: ['total_cache'] },
  { setting: 'readBackwards', mechanisms: ['read_backwards'] },
  { setting: 'pageIndex', mechanisms: ['page_index'] },
  { setting: 'replyCache', mechanisms: ['reply_cache'] },
  { setting: 'singleFlight', mechanisms: ['single_flight', 'count_batcher'] },
] as const;

describe('the settings', () => {
  const path = databaseFile(SCRIPT);

  it.each(eachNth(2, SWITCHES))(
    'switch $mechanisms off by $setting',
    async ({ setting, mechanisms }) => {
      const engine = await openFile(path, { [setting]: false, pageIndexMinOffset: 100 });
      for (const page of [1, 1, 2, 250, 250, 500, 500])
        await Promise.all(
          [1, 2].map(() => ask(engine, { model: 't', attributes: ['id'], page, size: 10 })),
        );
      for (const mechanism of mechanisms) expect(hitsOf(engine)[mechanism]).toBe(0);
    },
  );
});
