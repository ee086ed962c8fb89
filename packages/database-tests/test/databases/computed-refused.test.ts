import {
  type AttributeSettings,
  type CatalogueReport,
  EVERYTHING,
  type ModelSettings,
} from '@proj/engine';
import { beforeAll, describe, expect, it } from 'vitest';

import type { FixtureDatabase } from '../fixtures/fixture.ts';
import { fixturesOf } from '../fixtures/index.ts';
import { open } from '../open.ts';

const FIXTURES = fixturesOf(import.meta.filename);

const TABLES = [
  'create table items (id int not null primary key, price int, name varchar(20))',
  'create table secrets (id int not null primary key, word varchar(20))',
  `insert into items values (1, 10, 'a'), (2, 20, 'b')`,
  `insert into secrets values (1, 'hidden')`,
];

describe.each(FIXTURES)('texts of the settings on $name', (fixture) => {
  let database: FixtureDatabase;

  beforeAll(async () => {
    database = await fixture.create();
    await database.execute(TABLES);
  });

  async function reportsOf(items: ModelSettings): Promise<readonly CatalogueReport[]> {
    const models = { items, secrets: { attributes: { id: {} } } };
    const engine = await open(database.url, { models, expose: 'listed' });
    return engine.reports;
  }

  it('are refused as attributes, each at its place', async () => {
    const refused = [
      ['price) as x, (select 1', 'closes a parenthesis'],
      ['1), (2', 'closes a parenthesis'],
      ['(1', 'leaves a parenthesis open'],
      ['1; delete from items', 'semicolon'],
      ['1 -- all', 'a comment'],
      ['1 /* all', 'a comment'],
      ["length('a", 'a quote'],
      [String.raw`length('\') + length(') or 1=1 --')`, 'quote'],
      ['price, 2', ''],
      ['count(*)', ''],
      ['count(price)', ''],
      ['sum(price) over ()', ''],
      ['prize', 'prize'],
      ['price as x', ''],
      ['1 from secrets', ''],
      ['(select word from secret)', 'secret'],
      [' ', 'is empty'],
    ] as const;
    const attributes: Record<string, AttributeSettings> = {
      id: {},
      good: { sql: 'price', type: 'int64' },
    };
    for (const [index, [sql]] of refused.entries())
      attributes[`bad_${index}`] = { sql, type: 'int64' };
    const reports = await reportsOf({ attributes });
    expect(reports).toEqual(
      refused.map(([, words], index) =>
        expect.objectContaining({
          path: ['models', 'items', 'attributes', `bad_${index}`, 'sql'],
          problem: expect.stringContaining(words),
        }),
      ),
    );
  });

  it('are refused as selections, each at its place', async () => {
    const refused = [
      ['select id from items; select 1', 'semicolon'],
      ['select id from items) as t, (select 1', 'closes a parenthesis'],
      ['delete from items', 'selects nothing'],
      ['select id from items for update', 'locks'],
      ['select prize from items', 'prize'],
      ['select id from nothing', 'nothing'],
    ] as const;
    const models: Record<string, ModelSettings> = {
      good: { sql: 'select id from items', key: ['id'] },
    };
    for (const [index, [sql]] of refused.entries()) models[`bad_${index}`] = { sql, key: ['id'] };
    const { reports } = await open(database.url, { models, expose: 'listed' });
    expect(reports).toEqual(
      refused.map(([, words], index) =>
        expect.objectContaining({
          path: ['models', `bad_${index}`, 'sql'],
          problem: expect.stringContaining(words),
        }),
      ),
    );
  });

  it('say which names contradict what they read', async () => {
    const random = fixture.family === 'MariaDB' ? 'rand' : 'random';
    const texts = [
      [`price + ${random}()`, undefined, random],
      [`price + ${random.toUpperCase()} ()`, 'row', random],
      ['case when current_timestamp is null then 1 else price end', 'row', 'current_timestamp'],
      ['(select count(*) from secrets)', 'row', 'other rows'],
    ] as const;
    const attributes: Record<string, AttributeSettings> = { id: {} };
    for (const [index, [sql, reads]] of texts.entries())
      attributes[`it_${index}`] = { sql, type: 'int64', reads };
    const ofAttributes = await reportsOf({ attributes });
    expect(ofAttributes.map(({ problem }) => problem.toLowerCase())).toEqual(
      texts.map(([, , words]) => expect.stringContaining(words)),
    );
    const sql = 'select items.id from items join secrets on secrets.id = items.id';
    const models: Record<string, ModelSettings> = {
      items: { attributes: { id: {} } },
      secrets: { attributes: { id: {} } },
      fewer: { sql, key: ['id'], reads: ['items'] },
      unknown: { sql, key: ['id'], reads: ['items', 'other'] },
    };
    const { reports } = await open(database.url, { models, expose: 'listed' });
    expect(reports).toMatchObject([
      { path: ['models', 'fewer', 'reads'], problem: expect.stringContaining('secrets') },
      { path: ['models', 'unknown', 'reads'], problem: expect.stringContaining('other') },
    ]);
  });

  it('take names in quotes for names', async () => {
    const words = ['select', 'into', 'current_date', 'random', 'for update', 'x)y', 'Ü"\'`'];
    const columns = words.map((word) => `${fixture.identifier(word)} int`).join(', ');
    await database.execute([`create table worded (id int not null primary key, ${columns})`]);
    const names = words.map((word) => fixture.identifier(word));
    const asked = names.map((sql, place) => [words[place], { sql, type: 'int32', reads: 'row' }]);
    const attributes = Object.fromEntries(asked) as ModelSettings['attributes'];
    const sql = `select id, ${names.join(', ')} from worded`;
    const engine = await open(database.url, {
      models: { worded: { attributes }, selected: { sql, key: ['id'], reads: ['worded'] } },
    });
    expect(engine.reports).toEqual([]);
    const body = { query_attributes: ['id', ...words], page: { page: 1, size: 1 } };
    for (const query_model of ['worded', 'selected'])
      expect(await engine.query({ ...body, query_model }, EVERYTHING)).toMatchObject({
        result: '[]',
      });
  });

  it('need a type and a key', async () => {
    const [untyped] = await reportsOf({ attributes: { id: {}, it: { sql: 'price' } } });
    expect(untyped?.problem).toBe('It has no type.');
    const [unkeyed] = await reportsOf({ sql: 'select id from items' });
    expect(unkeyed?.problem).toContain('no unique key');
    const two = { sql: 'price', column: 'price', type: 'int64' } as const;
    expect(await reportsOf({ attributes: { id: {}, it: two } })).toMatchObject([
      { problem: 'It has several of `column`, `sql` and `json`.' },
    ]);
    expect(
      await reportsOf({ attributes: { id: { reads: 'row' } }, reads: ['items'] }),
    ).toMatchObject([
      { path: ['models', 'items', 'attributes', 'id', 'reads'] },
      { path: ['models', 'items', 'reads'] },
    ]);
    const both = { sql: 'select id from items', source: 'items', key: ['id'] };
    expect(await reportsOf(both)).toMatchObject([{ path: ['models', 'items', 'source'] }]);
  });

  it('show no column of their name in place of what is refused', async () => {
    const name = { sql: 'prize', type: 'text' } as const;
    const models = { items: { attributes: { name } }, secrets: { attributes: {} } };
    const engine = await open(database.url, { models });
    expect([...(engine.catalogue.get('items')?.attributes.keys() ?? [])]).toEqual(['id', 'price']);
    expect(engine.reports).toMatchObject([
      { path: ['models', 'items', 'attributes', 'name', 'sql'] },
    ]);
  });
});
