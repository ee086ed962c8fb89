import type { CatalogueReport, ModelSettings } from '@proj/engine';
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

const attribute = (sql: string, reads?: 'row'): ModelSettings => ({
  attributes: { id: {}, it: { sql, type: 'int64', reads } },
});

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

  it.each([
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
  ])('are refused as an attribute: %j', async (sql, words) => {
    const [report, ...others] = await reportsOf(attribute(sql));
    expect(others).toEqual([]);
    expect(report?.path).toEqual(['models', 'items', 'attributes', 'it', 'sql']);
    expect(report?.problem).toContain(words);
  });

  it.each([
    ['select id from items; select 1', 'semicolon'],
    ['select id from items) as t, (select 1', 'closes a parenthesis'],
    ['delete from items', 'selects nothing'],
    ['select id from items for update', 'locks'],
    ['select prize from items', 'prize'],
    ['select id from nothing', 'nothing'],
  ])('are refused as a selection: %j', async (sql, words) => {
    const [report, ...others] = await reportsOf({ sql, key: ['id'] });
    expect(others).toEqual([]);
    expect(report?.path).toEqual(['models', 'items', 'sql']);
    expect(report?.problem).toContain(words);
  });

  it('say which names contradict what they read', async () => {
    const random = fixture.family === 'MariaDB' ? 'rand' : 'random';
    const texts: [string, 'row' | undefined, string][] = [
      [`price + ${random}()`, undefined, random],
      [`price + ${random.toUpperCase()} ()`, 'row', random.toUpperCase()],
      ['case when current_timestamp is null then 1 else price end', 'row', 'current_timestamp'],
      ['(select count(*) from secrets)', 'row', 'other rows'],
    ];
    for (const [sql, reads, words] of texts) {
      const [report] = await reportsOf(attribute(sql, reads));
      expect(report?.problem.toLowerCase()).toContain(words.toLowerCase());
    }
    const sql = 'select items.id from items join secrets on secrets.id = items.id';
    const [report] = await reportsOf({ sql, key: ['id'], reads: ['items'] });
    expect(report).toMatchObject({ path: ['models', 'items', 'reads'] });
    expect(report?.problem).toContain('secrets');
    const [unknown] = await reportsOf({ sql, key: ['id'], reads: ['items', 'other'] });
    expect(unknown?.problem).toContain('other');
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
