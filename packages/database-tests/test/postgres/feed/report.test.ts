import type { Engine, FollowGap, FollowReport, FollowSettings } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { open } from '../../open.ts';
import { connect, urlOf, useOwnPostgres } from '../server.ts';

/** Tables of every kind, of an owner who is no superuser. */
const TABLES = `
  create role clerk login;
  grant create on database postgres to clerk;
  create schema shop authorization clerk;
  set role clerk;
  set search_path = shop;
  create table orders (id int primary key, note text);
  create table "Odd ""name""" ("the id" int primary key);
  create table unique_only (a int not null constraint "Both" unique, b int);
  create table chosen (a int not null unique);
  alter table chosen replica identity using index chosen_a_key;
  create table muted (id int primary key);
  alter table muted replica identity nothing;
  create table deferred (id int primary key deferrable);
  create table computed (a int, b int generated always as (a + 1) stored primary key);
  create table named (id int primary key, what regclass[]);
  create table whole (id int not null unique, note text);
  alter table whole replica identity full;
  create table events (at date not null, id int not null, primary key (at, id)) partition by range (at);
  create table events_1 partition of events for values from ('2026-01-01') to ('2026-02-01');
  create table events_2 partition of events for values from ('2026-02-01') to ('2026-03-01')
    partition by hash (id);
  create table events_2_0 partition of events_2 for values with (modulus 1, remainder 0);
  create table loose (at date not null, id int not null) partition by range (at);
  create table loose_1 partition of loose (primary key (id)) for values from ('2026-01-01') to ('2026-02-01');
  create table uneven (at date not null, id int not null) partition by range (at);
  create table uneven_1 partition of uneven (primary key (id)) for values from ('2026-01-01') to ('2026-02-01');
  create table uneven_2 partition of uneven for values from ('2026-02-01') to ('2026-03-01');
  create table people (id int primary key);
  create table staff (primary key (id)) inherits (people);
  create table animals (id int primary key);
  create table cats (name text) inherits (animals);
  create unlogged table drafts (id int primary key);
  create table secret (id int primary key);
  alter table secret enable row level security;
  create view seen as select id from orders;`;

/** What the application does with its tables. */
const WRITES = [
  ['orders', "values (1, 'a')", "note = 'b'"],
  ['"Odd ""name"""', 'values (1)', '"the id" = 2'],
  ['unique_only', 'values (1, 1)', 'b = 2'],
  ['chosen', 'values (1)', 'a = 2'],
  ['muted', 'values (1)', 'id = 2'],
  ['deferred', 'values (1)', 'id = 2'],
  ['computed', 'values (1)', 'a = 2'],
  ['named', 'values (1)', 'id = 2'],
  ['whole', "values (1, 'a')", "note = 'b'"],
  ['events', "values ('2026-01-02', 1), ('2026-02-02', 1)", 'id = 2'],
  ['loose', "values ('2026-01-02', 1)", 'id = 2'],
  ['uneven', "values ('2026-01-02', 1), ('2026-02-02', 1)", 'id = 2'],
  ['people', 'values (1)', 'id = 2'],
  ['staff', 'values (3)', 'id = 4'],
  ['animals', 'values (1)', 'id = 2'],
  ['cats', "values (3, 'Tom')", "name = 'Kit'"],
  ['drafts', 'values (1)', 'id = 2'],
  ['secret', 'values (1)', 'id = 2'],
] as const;

const WITH_A_KEY =
  'orders unique_only chosen muted deferred computed named whole events drafts secret';

const MODELS = Object.fromEntries([
  ...['Odd "name"', ...WITH_A_KEY.split(' ')].map((name) => [name, { source: `shop.${name}` }]),
  ...['loose', 'uneven', 'people', 'staff', 'animals', 'cats', 'seen'].map((name) => [
    name,
    { source: `shop.${name}`, key: ['id'] },
  ]),
]);

/** What is said of a table that nothing identifies. */
const unidentified = (table: string, identity: string, costs = ''): string =>
  `${table} has no primary key or other replica identity: once it is published, the ` +
  "application's UPDATE and DELETE on it are refused. Give it a primary key, or `alter table " +
  `${table} replica identity ${identity};\`${costs}. Either locks the table for a moment.`;
const whole = (table: string): string =>
  unidentified(table, 'full', ', which writes the whole old row to the log each time');

describe('the statements that let the changes of PostgreSQL be followed', () => {
  const postgres = useOwnPostgres({ sql: TABLES });

  /** By how they follow. */
  const engines = new Map<string, Promise<Engine>>();

  async function reportFor(follow: FollowSettings): Promise<FollowReport> {
    const name = JSON.stringify(follow);
    const engine =
      engines.get(name) ?? open(urlOf(postgres(), 'clerk'), { models: MODELS, follow });
    engines.set(name, engine);
    const report = await (await engine).followReport();
    if (report === undefined) throw new Error('There is no report.');
    return report;
  }

  async function runAs(login: string, ...statements: readonly string[]): Promise<void> {
    const client = await connect(urlOf(postgres(), login));
    for (const statement of statements) await client.query(statement);
  }

  /** Each remedy says who runs its statements. */
  async function runStatements(gaps: readonly FollowGap[]): Promise<void> {
    for (const { remedy, statements } of gaps) {
      const login = remedy.includes('superuser') ? 'postgres' : 'clerk';
      await runAs(login, ...statements);
    }
  }

  async function writeToAllTables(): Promise<void> {
    const writes = WRITES.flatMap(([table, rows, change]) => [
      `truncate shop.${table}`,
      `insert into shop.${table} ${rows}`,
      `update shop.${table} set ${change}`,
      `delete from shop.${table}`,
    ]);
    await runAs('clerk', ...writes);
  }

  const feedUrl = (): string => urlOf(postgres(), 'dynamic_query_feed');

  it('are those for more slots and senders, where the workers need more than are left', async () => {
    const engine = await open(postgres().url, { models: MODELS, follow: true, processes: 50 });
    const problems = (await engine.followReport())?.missing.map(({ problem }) => problem);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^max_replication_slots is 10, .+, where 50 workers need one each/),
        expect.stringMatching(/^max_wal_senders is 10, .+, where 50 workers need one each/),
      ]),
    );
  });

  it('name what is missing, and tables with a replica identity alone', async () => {
    const { missing, notes, isWorthwhile } = await reportFor(true);
    expect(isWorthwhile).toBe(false);
    expect(missing).toMatchObject([
      { problem: 'wal_level is replica, from which no changes can be read.' },
      { problem: 'The role clerk lacks the attribute REPLICATION.' },
      { problem: 'There is no publication dynamic_query.' },
    ]);
    expect(missing.flatMap(({ statements }) => statements)).toEqual([
      'alter system set wal_level = logical;',
      'create role dynamic_query_feed login replication;',
      'create publication dynamic_query for table shop."Odd ""name""", shop.chosen, shop.events, ' +
        'shop.loose_1, shop.orders, only shop.people, shop.staff, shop.whole ' +
        `with (publish = 'insert, update, delete, truncate');`,
    ]);
    expect(notes).toEqual([
      expect.stringMatching(/^max_slot_wal_keep_size is -1: /),
      expect.stringMatching(/^wal_sender_timeout is 1min: .+ asks for 10000 ms /),
    ]);
  });

  it('leave out tables that nothing identifies, unlogged tables and views, with the reason', async () => {
    const { unfollowed } = await reportFor(true);
    expect(unfollowed.map(({ problem, remedy }) => `${problem} ${remedy}`)).toEqual([
      `shop.animals, shop.cats: ${whole('shop.cats')}`,
      `shop.computed: ${whole('shop.computed')}`,
      `shop.deferred: ${whole('shop.deferred')}`,
      'shop.drafts: shop.drafts is unlogged: its changes are not in the log. ',
      `shop.muted: ${unidentified('shop.muted', 'using index muted_pkey')}`,
      'shop.named: shop.named has columns that show names of other objects, or money. ',
      'shop.secret: shop.secret has row-level security: what it shows depends on who asks. ',
      'shop.seen: It is a view. ',
      `shop.uneven: ${whole('shop.uneven_2')}`,
      `shop.unique_only: ${unidentified('shop.unique_only', 'using index "Both"')}`,
    ]);
  });

  it('leave nothing missing once they have run, and the application writes as before', async () => {
    await runStatements((await reportFor(true)).missing);
    await postgres().restart();
    expect((await reportFor({ url: feedUrl() })).missing).toEqual([]);
    await writeToAllTables();
  });

  it('are worth while once a table has many rows', async () => {
    await runAs('clerk', 'insert into shop.orders select generate_series(1, 100000)');
    await runAs('clerk', 'analyze shop.orders');
    expect((await reportFor({ url: feedUrl() })).isWorthwhile).toBe(true);
  });

  it('add a table that came later to the publication', async () => {
    await runAs('clerk', 'alter table shop.cats add primary key (name)');
    const { unfollowed } = await reportFor({ url: feedUrl() });
    const later = unfollowed.filter(({ statements }) => statements.length > 0);
    expect(later).toMatchObject([
      {
        problem: 'Not in the publication dynamic_query: shop.animals, shop.cats.',
        statements: ['alter publication dynamic_query add table only shop.animals, shop.cats;'],
      },
    ]);
    await runStatements(later);
    const now = await reportFor({ url: feedUrl() });
    expect(now.unfollowed.flatMap(({ statements }) => statements)).toEqual([]);
    await writeToAllTables();
  });

  it.each([
    ['with operations left out', `set (publish = 'insert')`, 'leaves out update and delete and'],
    ['by partition root', 'set (publish_via_partition_root = true)', 'publish_via_partition_root'],
  ])('change a publication %s', async (_what, change, problem) => {
    await runAs('clerk', `alter publication dynamic_query ${change}`);
    const { missing } = await reportFor({ url: feedUrl() });
    expect(missing).toMatchObject([{ problem: expect.stringContaining(problem) }]);
    await runStatements(missing);
    expect((await reportFor({ url: feedUrl() })).missing).toEqual([]);
  });

  it.each([
    ['a row filter', 'set table shop.orders where (id > 1)'],
    ['a column list', 'set table shop.orders (id)'],
  ])('publish a table as a whole that has %s', async (what, change) => {
    await runAs('clerk', `alter publication dynamic_query ${change}`);
    const { missing, refused } = await reportFor({ url: feedUrl() });
    expect(missing).toEqual([]);
    const problem = `The publication dynamic_query has ${what} for shop.orders.`;
    expect(refused).toMatchObject([{ problem }]);
    await runStatements(refused);
    expect((await reportFor({ url: feedUrl() })).refused).toEqual([]);
  });

  it('say what follows where a publication holds tables that it does not name', async () => {
    await postgres().client('create publication open for tables in schema shop');
    const { notes, refused } = await reportFor({ url: feedUrl(), publication: 'open' });
    await postgres().client('drop publication open');
    expect(notes.at(-1)).toMatch(/^The publication holds tables that it does not name\. /);
    expect(refused).toMatchObject([
      {
        problem: expect.stringMatching(/: .*shop\.muted, shop\.uneven_2, shop\.unique_only\.$/),
        statements: [],
      },
    ]);
  });

  it('take a table out of the publication whose writes it makes the server refuse', async () => {
    await runAs('clerk', 'alter publication dynamic_query add table shop.unique_only');
    await expect(writeToAllTables()).rejects.toThrow('does not have a replica identity');
    const { refused } = await reportFor({ url: feedUrl() });
    expect(refused).toMatchObject([{ problem: expect.stringContaining('shop.unique_only') }]);
    await runStatements(refused);
    await writeToAllTables();
  });
});
