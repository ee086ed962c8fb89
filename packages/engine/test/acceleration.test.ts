import { describe, expect, it } from 'vitest';

import { type Acceleration, type Engine, EVERYTHING } from '../src/index.ts';
import { databaseFile, execute } from './database-file.ts';
import { ask, open } from './open.ts';

const SCRIPT = `
  pragma journal_mode = wal;
  create table t (id integer primary key, name text);
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000) insert into t select i, 'name ' || i from n;
  create view now_and_then as select id, datetime('now') as moment from t`;

const MODELS = { now_and_then: { key: ['id'] } };

function hits(engine: Engine): Record<string, number> {
  return Object.fromEntries(
    engine.statistics().map((statistics) => [statistics.mechanism, statistics.hits]),
  );
}

async function openNew(
  acceleration: Partial<Acceleration> = {},
): Promise<{ engine: Engine; write: (sql: string) => void }> {
  const path = databaseFile(SCRIPT);
  const engine = await open(`sqlite:${path}`, { models: MODELS, acceleration });
  return { engine, write: (sql) => execute(path, sql) };
}

const FIRST = { model: 't', attributes: ['id'], size: 10 };

it('caches begin empty with other memory, and keep what they have with the same', async () => {
  const { engine } = await openNew({ memoryBytes: 2 ** 20 });
  await ask(engine, FIRST);
  engine.setCacheMemory(2 ** 20);
  await ask(engine, FIRST);
  expect(hits(engine)['reply_cache']).toBe(1);
  engine.setCacheMemory(1);
  await ask(engine, FIRST);
  await ask(engine, FIRST);
  expect(hits(engine)['reply_cache']).toBe(0);
  engine.setCacheMemory(2 ** 20);
  await ask(engine, FIRST);
  await ask(engine, FIRST);
  expect(hits(engine)['reply_cache']).toBe(1);
});

describe('while the data is unchanged', () => {
  it('a total is counted once for all pages of a list, in whatever order', async () => {
    const { engine } = await openNew();
    await ask(engine, FIRST);
    for (const page of [2, 3, 500]) await ask(engine, { ...FIRST, page });
    await ask(engine, { ...FIRST, sort: ['name'] });
    expect(hits(engine)['total_cache']).toBe(4);
  });

  it('a page past the end is empty with the exact total', async () => {
    const { engine } = await openNew();
    await ask(engine, FIRST);
    expect(await ask(engine, { ...FIRST, page: 501 })).toMatchObject({
      text: '[]',
      page: { total: '5000' },
    });
    expect(hits(engine)['total_cache']).toBe(1);
  });

  it('the last page is read from the end', async () => {
    const { engine } = await openNew({ pageIndex: false });
    await ask(engine, FIRST);
    expect((await ask(engine, { ...FIRST, page: 500 })).text).toContain('{"id":"5000"}]');
    expect(hits(engine)['read_backwards']).toBe(1);
  });

  it('a deep page gets an index, through which the next ones are found', async () => {
    // Kept replies of all the pages would need no index, however slowly that is built.
    const { engine } = await openNew({ pageIndexMinOffset: 100, replyCache: false });
    await ask(engine, FIRST);
    await expect
      .poll(async () => {
        await ask(engine, { ...FIRST, page: 250 + Math.floor(Math.random() * 10), sort: ['name'] });
        return hits(engine)['page_index'];
      })
      .toBeGreaterThan(0);
    const { text } = await ask(engine, { ...FIRST, page: 201, attributes: ['id', 'name'] });
    expect(text).toContain('[{"id":"2001","name":"name 2001"}');
  });

  it('a reply is sent again, and carries the same version', async () => {
    const { engine } = await openNew();
    const body = { query_model: 't', query_attributes: ['id'], page: { page: 1, size: 10 } };
    const [first, second] = [
      await engine.query(body, EVERYTHING),
      await engine.query(body, EVERYTHING),
    ];
    expect(hits(engine)['reply_cache']).toBe(1);
    expect(second.result).toBe(first.result);
    expect([first.version, second.version]).toEqual([
      expect.stringMatching(/^[\w-]{22}$/),
      first.version,
    ]);
  });
});

describe('a write', () => {
  it('is in the next reply, and in its version', async () => {
    const { engine, write } = await openNew();
    const body = { query_model: 't', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const before = await engine.query(body, EVERYTHING);
    write('insert into t (id) values (0)');
    const after = await engine.query(body, EVERYTHING);
    expect(after).toMatchObject({ result: '[{"id":"0"}]', page: { total: '5001' } });
    expect(after.version).not.toBe(before.version);
  });

  it('that was rolled back changes nothing', async () => {
    const { engine, write } = await openNew();
    await ask(engine, FIRST);
    write('begin; delete from t; rollback');
    expect((await ask(engine, FIRST)).page.total).toBe('5000');
  });
});

describe('a write that nothing but the next request can notice', () => {
  it('is in the total of another page, whose rows alone are read', async () => {
    const { engine, write } = await openNew();
    await ask(engine, FIRST);
    await ask(engine, { ...FIRST, page: 2 });
    expect(hits(engine)['total_cache']).toBe(1);
    write('delete from t where id > 4000');
    expect(await ask(engine, { ...FIRST, page: 3 })).toMatchObject({ page: { total: '4000' } });
  });

  it('is in the total of a page past the end, for which no rows are read', async () => {
    const { engine, write } = await openNew();
    await ask(engine, FIRST);
    write('insert into t select id + 5000, name from t');
    const past = await ask(engine, { ...FIRST, page: 501 });
    expect([past.page.total, past.records[0]]).toEqual(['10000', { id: '5001' }]);
  });

  it('moves the rows of deep pages, for which the index of before it is not used', async () => {
    const { engine, write } = await openNew({ pageIndexMinOffset: 100, replyCache: false });
    const byName = { ...FIRST, sort: ['name'] };
    await ask(engine, byName);
    await expect
      .poll(async () => {
        await ask(engine, { ...byName, page: 250 + Math.floor(Math.random() * 10) });
        return hits(engine)['page_index'];
      })
      .toBeGreaterThan(0);
    const before = await ask(engine, { ...byName, page: 211 });
    write("insert into t select -id, 'a' from t where id <= 10");
    await ask(engine, byName);
    const after = await ask(engine, { ...byName, page: 212 });
    expect(after).toMatchObject({ text: before.text, page: { total: '5010' } });
  });
});

describe('a view', () => {
  it('has no version, since it may ask for the time, and is read anew each time', async () => {
    const { engine } = await openNew();
    const body = {
      query_model: 'now_and_then',
      query_attributes: ['id', 'moment'],
      page: { page: 1, size: 1 },
    };
    for (let times = 0; times < 3; times++)
      expect((await engine.query(body, EVERYTHING)).version).toBeUndefined();
    expect(hits(engine)).toMatchObject({ total_cache: 0, reply_cache: 0, page_index: 0 });
  });
});

describe('the settings', () => {
  it.each([
    { setting: 'shortPageProof', mechanism: 'short_page_proof' },
    { setting: 'totalCache', mechanism: 'total_cache' },
    { setting: 'readBackwards', mechanism: 'read_backwards' },
    { setting: 'pageIndex', mechanism: 'page_index' },
    { setting: 'replyCache', mechanism: 'reply_cache' },
    { setting: 'singleFlight', mechanism: 'single_flight' },
    { setting: 'singleFlight', mechanism: 'count_batcher' },
  ] as const)('switch $mechanism off by $setting', async ({ setting, mechanism }) => {
    const { engine } = await openNew({ [setting]: false, pageIndexMinOffset: 100 });
    for (const page of [1, 1, 2, 250, 250, 500, 500])
      await Promise.all([1, 2].map(() => ask(engine, { ...FIRST, page })));
    expect(hits(engine)[mechanism]).toBe(0);
  });

  it('bound the memory of kept replies', async () => {
    const { engine } = await openNew({ memoryBytes: 50_000 });
    for (let page = 1; page <= 100; page++)
      await ask(engine, { ...FIRST, page, attributes: ['id', 'name'] });
    const kept = engine.statistics().find(({ mechanism }) => mechanism === 'reply_cache');
    expect(kept?.bytes).toBeGreaterThan(0);
    expect(kept?.bytes).toBeLessThanOrEqual(50_000);
  });
});
