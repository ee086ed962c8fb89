import type { Statement } from '@proj/engine/database';
import { SEED } from '@proj/test-servers';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BoundarySearch, type NamedColumn } from '../src/feed/lists/boundary-search.ts';
import { connect, rowsOf, usePostgres } from './server.ts';

const ROWS = 1200;

/** Every so many rows one begins a bucket. */
const STEP = 3;

/** Texts that sort close to each other, and in another way under another collation. */
const TEXT = fc.oneof(
  fc
    .array(fc.constantFrom('a', 'A', 'ä', 'b', 'B', '-', ' ', '1', 'ß'), { maxLength: 5 })
    .map((letters) => letters.join('')),
  // PostgreSQL has no zeroes, and U+FFFD stands for bytes that are no text.
  fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !/[\0\u{FFFD}]/u.test(text)),
);

const COLUMNS: readonly { readonly type: string; readonly databaseType: string }[] = [
  { type: 'text', databaseType: 'text' },
  { type: 'text collate "C"', databaseType: 'text' },
  { type: 'text collate "und-x-icu"', databaseType: 'text' },
  { type: 'varchar(40) collate "de-x-icu"', databaseType: 'character varying(40)' },
  { type: 'char(40) collate "en-US-x-icu"', databaseType: 'character(40)' },
  { type: 'text collate digits', databaseType: 'text' },
];

const ORDERS: readonly Omit<NamedColumn, 'name' | 'databaseType'>[] = [
  { direction: 'asc' },
  { direction: 'desc', nulls: 'last' },
  { direction: 'asc', nulls: 'first' },
];

describe(`the places of keys along a list (seed ${SEED})`, () => {
  const postgres = usePostgres(
    `create collation digits (provider = icu, locale = 'und-u-kn-true')`,
  );

  it.each(COLUMNS)('are those of the database in $type', async ({ type, databaseType }) => {
    const client = await connect(postgres().url);
    await client.query(`drop table if exists words`);
    await client.query(`create table words ("the ""word" ${type}, id int primary key)`);
    const texts = fc.sample(fc.option(TEXT, { freq: 20 }), { numRuns: ROWS, seed: SEED });
    await client.query(
      `insert into words select w, row_number() over () from json_array_elements_text($1) w`,
      [JSON.stringify(texts)],
    );
    for (const order of ORDERS) {
      const nulls = order.nulls ?? 'last';
      const rows = await rowsOf(client, {
        parameters: [],
        sql: `select w."the ""word"::text, w.id::text from words w
          ${order.nulls === undefined ? 'where w."the ""word" is not null' : ''}
          order by w."the ""word" ${order.direction} nulls ${nulls}, w.id desc`,
      });
      const search = new BoundarySearch(
        ['public', 'words'],
        [
          { name: 'the "word', databaseType, ...order },
          { name: 'id', databaseType: 'integer', direction: 'desc' },
        ],
      );
      let asked = 0;
      const ask = async (statement: Statement): Promise<(string | null)[]> => {
        asked += 1;
        return (await rowsOf(client, statement))[0] ?? [];
      };
      const boundaries = rows
        .filter((_row, index) => index % STEP === 1)
        .map((key) => ({ texts: key }));
      const places = await search.find(rows, boundaries, ask);
      expect(places).toEqual(rows.map((_row, index) => Math.floor((index + STEP - 1) / STEP)));
      expect(asked).toBeLessThan(12);
    }
  });

  it.each(['"C"', '"und-x-icu"'])(
    'of names take a statement each time in %s',
    async (collation) => {
      const client = await connect(postgres().url);
      const names = ['Zoë', 'Émile', 'mcdonald', 'Mc Donald', 'x_y', 'O’Neill', 'łukasz', 'Иван'];
      const rows = await rowsOf(client, {
        sql: `select w from (
          select concat(a, ' ', b, '-', n) collate ${collation} as w
          from json_array_elements_text($1) a, json_array_elements_text($1) b,
            generate_series(1, 20) n
        ) x order by w`,
        parameters: [JSON.stringify(names)],
      });
      await client.query(
        `drop table if exists names; create table names (w text collate ${collation})`,
      );
      const column = { name: 'w', databaseType: 'text', direction: 'asc' } as const;
      const search = new BoundarySearch(['public', 'names'], [column]);
      const boundaries = rows.map((texts) => ({ texts }));
      const asked: Statement[] = [];
      const find = (): Promise<unknown> =>
        search.find(rows.slice(0, 900), boundaries, async (statement) => {
          asked.push(statement);
          return (await rowsOf(client, statement))[0] ?? [];
        });
      // The first may find out that texts are sorted by their bytes.
      await find();
      asked.length = 0;
      await find();
      expect(asked).toHaveLength(1);
    },
  );
});
