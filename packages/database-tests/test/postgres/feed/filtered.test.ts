import { beforeRelease, SEED } from '@proj/test-servers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { Base } from '../../../../postgres/src/feed/lists/base.ts';
import { ListKeys } from '../../../../postgres/src/feed/lists/seen-moment.ts';
import { Random } from '../../truth/random.ts';
import { CheckedReading, follow, type ListQuestion, readWhileWritten } from './checked-reading.ts';
import { FollowedList } from './followed-list.ts';
import { useFollowed } from './followed.ts';

const COLUMNS = `id int primary key, state mood, amount int, done boolean not null, day date,
  word text, long text, mail citext, name text collate any_case, price numeric, doc jsonb,
  twice int generated always as (amount * 2) stored`;

const SQL = `
  create extension citext;
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create type mood as enum ('happy', 'ok', 'sad');
  create table items (${COLUMNS});
  alter table items alter long set storage external;
  create function add(target text, numbers int[], salt int) returns void language plpgsql as $$
    begin
      execute format('insert into %I
        (id, state, amount, done, day, word, long, mail, name, price, doc)
        select n, (array[''happy'', ''ok'', ''sad'', null])[1 + (n + $2) %% 4]::mood,
          nullif((n * 31 + $2) %% 50, 7), (n + $2) %% 3 = 0,
          date ''2024-01-01'' + (n * 17 + $2) %% 400,
          (array[''a'', ''b'', '''', null])[1 + (n * 7 + $2) %% 4],
          repeat(chr(97 + (n + $2) %% 26), 3000),
          (array[''Anna'', ''anna'', ''Bo''])[1 + (n + $2) %% 3],
          (array[''Élan'', ''élan'', ''eLAN'', null])[1 + (n * 3 + $2) %% 4],
          (n + $2) %% 9 * 0.25, case when (n + $2) %% 5 > 0 then jsonb_build_object(''n'', n) end
        from unnest($1) n on conflict do nothing', target) using numbers, salt;
    end $$;
  create index on items (day, id);
  create index on items (amount desc nulls first, id);
  select add('items', array(select n * 10 from generate_series(1, 3000) n), 0);
  create table leaves (${COLUMNS}) partition by range (id);
  create table leaf_1 partition of leaves for values from (0) to (10000);
  create table leaf_2 (long text, word text, doc jsonb, day date, done boolean not null, amount int,
    price numeric, state mood, mail citext, name text collate any_case,
    twice int generated always as (amount * 2) stored, id int primary key);
  alter table leaves attach partition leaf_2 for values from (10000) to (1000000);
  select add('leaves', array(select n * 10 from generate_series(1, 3000) n), 0);
  create publication dynamic_query for table items, leaves`;

const DONE = { attribute: 'done', op: 'eq', value: true };
const RICH = { attribute: 'amount', op: 'gte', value: 25 };

/** Lists in other orders than that of the key, of all rows or of some. */
const ORDERED: readonly Omit<ListQuestion, 'model' | 'offset' | 'size'>[] = [
  { sort: [{ attribute: 'day' }] },
  { sort: [{ attribute: 'amount', direction: 'desc', nulls: 'first' }] },
  {
    sort: [
      { attribute: 'amount', nulls: 'last' },
      { attribute: 'id', direction: 'desc' },
    ],
  },
  {
    sort: [
      { attribute: 'done', direction: 'desc' },
      { attribute: 'day', nulls: 'first' },
    ],
  },
  { filter: DONE },
  { filter: RICH, sort: [{ attribute: 'day', direction: 'desc' }] },
];

/** What writers do to a table, by a number of their own. */
const TRANSACTIONS: readonly ((table: string, n: number) => string | readonly string[])[] = [
  (table, n) => `select add('${table}', array[${n}], ${n % 13})`,
  (table, n) => `delete from ${table} where id between ${n} and ${n + 30}`,
  (table, n) => `select add('${table}', array(select generate_series(${n}, ${n + 30})), ${n % 13})`,
  (table, n) => `update ${table} set amount = nullif((amount + ${n}) % 50, 7), done = not done
    where id between ${n} and ${n + 60}`,
  (table, n) => `update ${table} set state = 'ok', word = null where id between ${n} and ${n + 40}`,
  (table, n) => `update ${table} set day = day + 40 where id between ${n} and ${n + 60}`,
  (table, n) =>
    `update ${table} set id = id + 3 where id between ${n} and ${n + 50} and id % 10 = 0`,
  (table, n) => `update ${table} set long = 'short' || id where id between ${n} and ${n + 40}`,
  (table, n) => `update ${table} set mail = upper(mail), name = lower(name), price = price + 0.25
    where id between ${n} and ${n + 50}`,
  (table, n) => [
    `begin; update ${table} set doc = null, name = null
      where id between ${n} and ${n + 40}; prepare transaction 'two-${n}'`,
    `commit prepared 'two-${n}'`,
  ],
  (table, n) => `begin; savepoint a; update ${table} set done = true where id < ${n % 700};
    rollback to a; update ${table} set done = not done where id = ${n - (n % 10)}; commit`,
  (table, n) =>
    `begin; update ${table} set amount = 1 where id between ${n} and ${n + 50}; rollback`,
];

/** Filters whose rows come and go, on each kind of column. */
const FILTERS: readonly object[] = [
  DONE,
  { and: [DONE, RICH] },
  { or: [{ not: RICH }, { attribute: 'word', op: 'is_null', value: true }] },
  { attribute: 'state', op: 'not_in', value: ['sad', 'ok'] },
  { attribute: 'day', op: 'between', value: ['2024-03-01', '2024-08-15'] },
  { attribute: 'word', op: 'is_distinct', value: 'a' },
  { attribute: 'long', op: 'icontains', value: 'SHORT' },
  { attribute: 'id', op: 'lt', value: 15_000 },
  { attribute: 'mail', op: 'in', value: ['anna', 'BO'] },
  { attribute: 'name', op: 'gte', value: 'élan' },
  { attribute: 'twice', op: 'lt', value: 40 },
  { not: { attribute: 'doc', op: 'is_null', value: true } },
  { attribute: 'price', op: 'between', value: ['0.5', '1.75'] },
];

/** The tables, each with a third of the kinds of lists on every commit, and with all before a release. */
const TABLES = ['items', 'leaves'].map((model, index) => {
  const isChosen = (_: unknown, place: number): boolean =>
    beforeRelease || (place + index + SEED) % 3 === 0;
  return { model, filters: FILTERS.filter(isChosen), orders: ORDERED.filter(isChosen) };
});

/** Reads a list until its total is followed. */
async function readFollowed(reading: CheckedReading, list: Omit<ListQuestion, 'size'>) {
  await follow(reading, { ...list, size: 10 }, 'followed_total');
}

describe(`pages of a filtered list (seed ${SEED})`, () => {
  const random = new Random(SEED);
  const followed = useFollowed(SQL);

  const readingOf = (): Promise<CheckedReading> => CheckedReading.over(followed().source);

  /** How others write to a table. */
  const courseOf = (model: string) => ({
    url: followed().server.url,
    transactionOf: (turn: number) =>
      TRANSACTIONS[turn % TRANSACTIONS.length]?.(model, random.integer(0, 30_000)) ?? '',
  });

  it.each(TABLES)(
    'have the exact total while others write to $model',
    async ({ model, filters }) => {
      const reading = await readingOf();
      const lists = filters.map((filter) => ({ model, filter }));
      for (const list of lists) await readFollowed(reading, { ...list, offset: 0 });
      const course = { ...courseOf(model), lists, offsetOf: () => random.integer(200, 1600) };
      expect(await readWhileWritten(reading, course)).toEqual([]);
    },
  );

  it.each(TABLES)(
    'are found by a key in other orders while others write to $model',
    async ({ model, orders }) => {
      const reading = await readingOf();
      // What has no index is followed as long as the planner knows that the table is small.
      await followed().sql.query(`vacuum analyze ${model}`);
      const lists = orders.map((order) => ({ model, ...order }));
      const mechanism = 'followed_index';
      for (const list of lists)
        await follow(reading, { ...list, offset: 500, size: 10 }, mechanism);
      const course = { ...courseOf(model), lists, offsetOf: () => random.integer(0, 3000) };
      expect(await readWhileWritten(reading, { ...course, mechanism })).toEqual([]);
    },
  );

  it('have the exact total where one list is read again and again, and a few rows change', async () => {
    const reading = await readingOf();
    const list = { model: 'items', filter: DONE };
    await readFollowed(reading, { ...list, offset: 0 });
    const mistakes = await readWhileWritten(reading, {
      url: followed().server.url,
      writers: 2,
      transactionOf: (turn) => {
        const n = 10 + ((turn * 70) % 300);
        return turn % 3 === 0
          ? `delete from items where id = ${n}`
          : `insert into items (id, done) values (${n}, ${turn % 2 === 0})
             on conflict (id) do update set done = not items.done`;
      },
      lists: [list],
      offsetOf: (turn) => turn % 3,
    });
    expect(mistakes).toEqual([]);
  });

  /** Follows the index of a list that moves on to other base snapshots while keys are read. */
  async function followMoved(
    reading: CheckedReading,
    list: Omit<ListQuestion, 'model' | 'size' | 'offset'>,
    writes: readonly string[],
  ): Promise<boolean[]> {
    const settled = vi.spyOn(Base.prototype, 'settled', 'get');
    const learn = Reflect.get(ListKeys.prototype, 'learn');
    const learned: boolean[] = [];
    vi.spyOn(ListKeys.prototype, 'learn').mockImplementation(async function moved(
      this: ListKeys,
      read,
    ) {
      const [base] = settled.mock.contexts as Base[];
      for (const write of learned.length === 0 ? writes : []) {
        await followed().sql.query(write);
        expect(await base?.renew()).toBe(true);
      }
      const hasLearned = await learn.call(this, read);
      learned.push(hasLearned);
      return hasLearned;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    await follow(reading, { model: 'items', ...list, offset: 300, size: 10 }, 'followed_index');
    for (let offset = 0; offset < 900; offset += 100)
      await reading.read({ model: 'items', ...list, offset, size: 9 });
    return learned;
  }

  it.each([
    ['id', 20],
    ['day', 21],
    ['word', 22],
  ])(
    'are found by a key though the list moves on while its keys are read, in the order of %s',
    async (attribute, value) => {
      const reading = await readingOf();
      await followed().sql.query('vacuum analyze items');
      const list = {
        filter: { attribute: 'amount', op: 'gte', value },
        sort: [{ attribute }],
      };
      const write = 'update items set amount = 50 - amount where id between 700 and 800';
      const learned = await followMoved(reading, list, [write]);
      expect([reading.mistakes, learned[0]]).toEqual([[], true]);
    },
  );

  it('are found by a key though most of the list came while its keys were read', async () => {
    const reading = await readingOf();
    const { feed } = followed().source.changes?.followed ?? {};
    const before = feed?.status.recounts;
    const numbers = [50_000, 53_000].map((from) => `generate_series(${from}, ${from + 2900})`);
    const writes = numbers.map((one) => `select add('items', array(select ${one}), 0)`);
    const filter = { attribute: 'amount', op: 'gte', value: 23 };
    const learned = await followMoved(reading, { filter }, writes);
    expect([reading.mistakes, learned[0], feed?.status.recounts]).toEqual([[], true, before]);
  });

  it('have as many rows as came back after all had left', async () => {
    const reading = await readingOf();
    const { sql, source } = followed();
    const list = { model: 'items', filter: DONE, sort: [{ attribute: 'day' }] };
    await sql.query('vacuum analyze items');
    await follow(reading, { ...list, offset: 500, size: 10 }, 'followed_index');
    await sql.query('update items set done = false where done');
    // The next base snapshot sees none of them.
    const differing = async (): Promise<number | undefined> => {
      await reading.totals(list);
      return source.changes?.followed?.feed.status.snapshotRows;
    };
    await expect.poll(differing).toBe(0);
    await sql.query('update items set done = true where id <= 100');
    const came = new FollowedList(followed(), reading, list);
    expect(await came.isWrong()).toBe(false);
    expect(await came.read()).toBeGreaterThan(0n);
  });

  it('are read anew after a truncate', async () => {
    const { sql } = followed();
    const reading = await readingOf();
    const list = { model: 'items', filter: DONE };
    await readFollowed(reading, { ...list, offset: 0 });
    await sql.query('truncate items');
    expect((await reading.read({ ...list, offset: 0, size: 10 })).total).toBe(0n);
    await sql.query(`select add('items', array(select generate_series(1, 3000)), 0)`);
    await readFollowed(reading, { ...list, offset: 0 });
    expect(reading.mistakes).toEqual([]);
  });
});
