import { eachNth, SEED } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { Random } from '../../truth/random.ts';
import { CheckedReading, follow, type ListQuestion, readWhileWritten } from './checked-reading.ts';
import { useFollowed } from './followed.ts';

/** Texts that collations sort in many ways. */
const TEXTS = ['Ädel', 'adel', 'co-op', 'Coop', 'coop ', 'ß', 'ss', 'Zoë', 'zoe', '😀', '\u{FF5E}'];

const SQL = `
  create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create function text_of(n int) returns text immutable language sql
    return (array[${TEXTS.map((text) => `'${text}'`).join()}])[1 + n * 7 % ${TEXTS.length}]
      || chr(97 + n % 26) || ' ' || n % 500;
  create table words (id text collate "und-x-icu" primary key, n int,
    name text collate "en-US-x-icu", code text collate "C", title varchar(40),
    mark char(8), price numeric(8, 2), same text collate any_case);
  create function add(numbers int[], salt int) returns void language sql
    begin atomic
      insert into words
      select text_of(n + 3) || '/' || n, n, nullif(text_of(n + salt), text_of(salt)),
        text_of(n * 3 + salt), text_of(n * 5 + salt), left(text_of(n * 2 + salt), 8),
        nullif((n * 31 + salt) % 900, 7) * 0.25, text_of(n)
      from unnest(numbers) n on conflict do nothing;
    end;
  create index on words (name, id);
  create index on words (code desc, id desc);
  create index on words (price desc nulls last, id);
  select add(array(select n * 10 from generate_series(1, 3000) n), 0);
  create publication dynamic_query for table words`;

type List = Omit<ListQuestion, 'model' | 'offset' | 'size'>;

const CHEAP = { attribute: 'price', op: 'lt', value: '150' };

/** Lists that are sorted by texts and numbers, of all rows or of some. */
const ORDERED = eachNth<List>(2, [
  {},
  { sort: [{ attribute: 'id', direction: 'desc' }] },
  { sort: [{ attribute: 'name' }] },
  { sort: [{ attribute: 'name', direction: 'desc', nulls: 'last' }] },
  {
    sort: [
      { attribute: 'code', direction: 'desc' },
      { attribute: 'id', direction: 'desc' },
    ],
  },
  { sort: [{ attribute: 'title' }, { attribute: 'n', direction: 'desc' }] },
  { sort: [{ attribute: 'mark', direction: 'desc' }] },
  { sort: [{ attribute: 'price', direction: 'desc', nulls: 'last' }] },
  { filter: CHEAP },
  { filter: CHEAP, sort: [{ attribute: 'name', nulls: 'first' }] },
]);

/** What writers do, by a number of their own. */
const TRANSACTIONS: readonly ((n: number) => string)[] = [
  (n) => `select add(array[${n}], ${n % 13})`,
  (n) => `delete from words where n between ${n} and ${n + 30}`,
  (n) => `select add(array(select generate_series(${n}, ${n + 30})), ${n % 13})`,
  (n) => `update words set name = upper(name), price = price + 0.25 where n % 90 = ${n % 90}`,
  (n) => `update words set code = title, title = code where n between ${n} and ${n + 60}`,
  (n) => `update words set mark = 'new' where n between ${n} and ${n + 60}`,
  (n) => `update words set id = id || '+' where n between ${n} and ${n + 20} and length(id) < 30`,
  (n) => `update words set name = null, price = null where n between ${n} and ${n + 15}`,
  (n) => `update words set name = text_of(${n} + n) where n between ${n} and ${n + 60}`,
  (n) => `begin; savepoint a; delete from words where n < ${n % 900}; rollback to a;
    update words set name = 'Zo' || n where n between ${n} and ${n + 20}; commit`,
];

async function followList(reading: CheckedReading, list: List): Promise<void> {
  await follow(reading, { model: 'words', ...list, offset: 800, size: 10 }, 'followed_index');
}

describe(`lists that are sorted by texts (seed ${SEED})`, () => {
  const random = new Random(SEED);
  const followed = useFollowed(SQL);

  async function readingOf(): Promise<CheckedReading> {
    const reading = await CheckedReading.over(followed().source);
    // What has no index is followed as long as the planner knows that the table is small.
    await followed().sql.query('vacuum analyze words');
    return reading;
  }

  it('have their pages found by a key, in the order of the database', async () => {
    const reading = await readingOf();
    for (const list of ORDERED) {
      await followList(reading, list);
      for (let offset = 0; offset < 3100; offset += 250)
        await reading.read({ model: 'words', ...list, offset, size: 9 });
    }
    expect(reading.mistakes).toEqual([]);
    expect(reading.checks).toBeGreaterThan(50);
  });

  it('are exact while others write', async () => {
    const reading = await readingOf();
    for (const list of ORDERED) await followList(reading, list);
    const mistakes = await readWhileWritten(reading, {
      url: followed().server.url,
      transactionOf: (turn) =>
        TRANSACTIONS[turn % TRANSACTIONS.length]?.(random.integer(0, 30_000)) ?? '',
      lists: ORDERED.map((list) => ({ model: 'words', ...list })),
      offsetOf: () => random.integer(0, 3000),
      mechanism: 'followed_index',
    });
    expect(mistakes).toEqual([]);
  });

  it('are exact where one list is read again and again, and a few rows change', async () => {
    const reading = await readingOf();
    const list = { model: 'words', sort: [{ attribute: 'title' }, { attribute: 'n' }] } as const;
    await followList(reading, list);
    const mistakes = await readWhileWritten(reading, {
      url: followed().server.url,
      writers: 2,
      transactionOf: (turn) => {
        const n = 30_010 + ((turn * 7) % 30);
        return turn % 3 === 0
          ? `delete from words where n = ${n}`
          : `insert into words (id, n, title) values ('${n}', ${n}, text_of(${turn}))
             on conflict (id) do update set title = excluded.title`;
      },
      lists: [list],
      offsetOf: (turn) => 300 + ((turn * 211) % 2500),
    });
    expect(mistakes).toEqual([]);
  });
});
