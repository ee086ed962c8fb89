import { SEED } from '@proj/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { Random } from '../../truth/random.ts';
import {
  CHECKS,
  CheckedReading,
  follow,
  type ListQuestion,
  readWhileWritten,
} from './checked-reading.ts';
import { useFollowed } from './followed.ts';

const SQL = `
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create table things (id bigint primary key, note text);
  create table pairs (low int, id int, note text, primary key (low, id));
  create table words (id text collate any_case primary key);
  insert into things select n * 10, 'old' from generate_series(1, 20000) n;
  insert into pairs select n % 7, n, 'old' from generate_series(1, 20000) n;
  insert into words select 'word ' || n from generate_series(1, 20000) n;
  create publication dynamic_query for table things, pairs, words`;

const POLLING = { interval: 20, timeout: 20_000 };

/** What writers do, by a number of their own. */
const TRANSACTIONS: readonly ((n: number) => string)[] = [
  (n) => `insert into things values (${n}, 'new') on conflict do nothing`,
  (n) => `delete from things where id = ${n - (n % 10)}`,
  (n) => `delete from things where id between ${n} and ${n + 150}`,
  (n) => `insert into things select g, 'many' from generate_series(${n}, ${n + 60}) g
          on conflict do nothing`,
  (n) => `update things set note = 'changed' where id between ${n} and ${n + 300}`,
  (n) => `update things set id = id + 3 where id = ${n - (n % 10)}`,
  (n) => `begin; savepoint a; delete from things where id < ${n % 700}; rollback to a;
          insert into things values (${n}, 'sub') on conflict do nothing; commit`,
  (n) => `begin; delete from things where id between ${n} and ${n + 500}; rollback`,
];

describe(`pages of a followed relation (seed ${SEED})`, () => {
  const followed = useFollowed(SQL);

  /** A chain of reading that has the total, and the index of these lists. */
  async function readingOf(...lists: readonly Omit<ListQuestion, 'offset' | 'size'>[]) {
    const reading = await CheckedReading.over(followed().source);
    for (const list of lists)
      await follow(reading, { ...list, offset: 9000, size: 10 }, 'followed_index');
    return reading;
  }

  it('have the total of their snapshot, and are found by a key', async () => {
    const descending = [{ attribute: 'id', direction: 'desc' }] as const;
    const pairs = [
      { attribute: 'low', direction: 'asc' },
      { attribute: 'id', direction: 'asc' },
    ] as const;
    const lists = [
      { model: 'things' },
      { model: 'things', sort: descending },
      { model: 'pairs' },
      { model: 'pairs', sort: pairs },
    ];
    const reading = await readingOf(...lists);
    for (const list of lists)
      for (const offset of [0, 150, 500, 7777, 12_345, 19_000, 19_995, 20_000, 30_000])
        await reading.read({ ...list, offset, size: 7 });
    expect(reading.mistakes).toEqual([]);
    expect(reading.checks).toBeGreaterThan(20);
  });

  it('are exact while six others write', async () => {
    const random = new Random(SEED);
    const descending = [{ attribute: 'id', direction: 'desc' }] as const;
    const lists = [{ model: 'things' }, { model: 'things', sort: descending }];
    const mistakes = await readWhileWritten(await readingOf(...lists), {
      url: followed().server.url,
      writers: 6,
      transactionOf: (turn) =>
        TRANSACTIONS[turn % TRANSACTIONS.length]?.(random.integer(0, 200_000)) ?? '',
      lists,
      offsetOf: () => random.integer(0, 21_000),
      mechanism: 'followed_index',
      checks: 2 * CHECKS,
    });
    expect(mistakes).toEqual([]);
  });

  it('are exact while a transaction writes that does not commit, and after it did', async () => {
    const reading = await readingOf({ model: 'things' });
    const { sql } = followed();
    await sql.query('begin');
    for (let turn = 0; reading.checks < 20; turn++) {
      const low = 50_000 + turn * 40;
      await sql.query(`insert into things select g, 'long' from generate_series(${low}, ${low + 30}) g
        on conflict do nothing`);
      await reading.read({ model: 'things', offset: 3000 + ((turn * 200) % 9000), size: 10 });
    }
    const before = reading.hits('followed_index');
    await sql.query('commit');
    await vi.waitFor(async () => {
      await reading.read({ model: 'things', offset: 8000, size: 10 });
      expect(reading.hits('followed_index')).toBeGreaterThan(before + 5);
    }, POLLING);
    expect(reading.mistakes).toEqual([]);
  });

  it('are exact after more rows than are listed came at once, and after a truncate', async () => {
    const reading = await readingOf({ model: 'pairs' });
    const { sql } = followed();
    const writes = [
      `insert into pairs select 8, n, 'bulk' from generate_series(1, 50000) n`,
      `truncate pairs`,
      `insert into pairs select n % 3, n, 'again' from generate_series(1, 9000) n`,
    ];
    for (const write of writes) {
      const before = reading.hits('followed_total');
      await sql.query(write);
      await vi.waitFor(async () => {
        for (const offset of [0, 5000, 8990])
          await reading.read({ model: 'pairs', offset, size: 20 });
        expect(reading.hits('followed_total')).toBeGreaterThan(before + 2);
      }, POLLING);
    }
    expect(reading.mistakes).toEqual([]);
    expect(reading.checks).toBeGreaterThan(0);
  });

  it('in an order by texts that are equal in other letters are passed over, without a count', async () => {
    const reading = await readingOf();
    await vi.waitFor(async () => {
      await reading.read({ model: 'words', offset: 0, size: 10 });
      expect(reading.hits('followed_total')).toBeGreaterThan(0);
    }, POLLING);
    const before = reading.hits('followed_total');
    for (let turn = 1; turn <= 5; turn++) {
      await followed().sql.query(`insert into words values ('more ${turn}')`);
      const page = await reading.read({ model: 'words', offset: 9000, size: 3 });
      expect(page).toMatchObject({ rows: 3, total: 20_000n + BigInt(turn) });
    }
    expect(reading.hits('followed_index')).toBe(0);
    expect(reading.hits('followed_total')).toBeGreaterThan(before);
    expect(reading.checks).toBeGreaterThan(0);
    expect(reading.mistakes).toEqual([]);
  });
});
