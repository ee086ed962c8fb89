import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { idsOf, recordsOf } from '../lists.ts';
import { ask, open } from '../open.ts';

const VALUES = [
  ["x'616263'", 'abc'],
  ["'def'", 'def'],
  ["'ü' || char(0) || 'x'", 'ü\0x'],
  ["''", ''],
  ['7', '7'],
  ['-9223372036854775808', '-9223372036854775808'],
  ["'9223372036854775808'", '9223372036854775808'],
  ['0.3', '0.3'],
  ['0.1 + 0.2', '0.30000000000000004'],
  ["'0.30'", '0.30'],
  ['-1.5e-7', '-1.5e-07'],
  ['1e20', '1.0e+20'],
  ['3.0', '3.0'],
  ['9e999', 'Inf'],
  ["x'ff00'", '\xff\0'],
] as const;

/** Texts in base64 are beside none of their bytes, which would travel as the same text. */
const TEXT_KEYS = [
  ["x'616263'", 'YWJj'],
  ["'abc'", 'abc'],
  ["'YWJk'", 'YWJk'],
  ["x''", ''],
  ["x'ff00'", '/wA='],
  ['7', '7'],
  ['1.5', '1.5'],
] as const;

const rowsOf = (values: readonly (readonly [string, string])[]): string =>
  values.map(([value], n) => `(${value}, ${n})`).join(', ');

const fileIn = (encoding: string): string =>
  databaseFile(
    `pragma encoding = '${encoding}';
   create table things (id blob primary key not null, n integer) without rowid;
   insert into things values ${rowsOf(VALUES)};
   create table words (id text primary key not null, n integer) without rowid;
   insert into words values ${rowsOf(TEXT_KEYS)};`,
  );

/** Texts and numbers as bytes of the file's encoding. */
function inBase64([stored, text]: (typeof VALUES)[number], encoding: string): string {
  if (stored.startsWith('x')) return Buffer.from(text, 'latin1').toString('base64');
  if (encoding === 'UTF-8') return Buffer.from(text).toString('base64');
  const bytes = Buffer.from(text, 'utf16le');
  return (encoding === 'UTF-16be' ? bytes.swap16() : bytes).toString('base64');
}

describe.each(
  ['UTF-8', 'UTF-16le', 'UTF-16be'].flatMap((encoding) => [
    [encoding, 'bytes', 'things', VALUES.map((value) => inBase64(value, encoding))] as const,
    [encoding, 'texts', 'words', TEXT_KEYS.map(([, text]) => text)] as const,
  ]),
)('in a SQLite file in %s a key of %s', (encoding, _, model, ids) => {
  it('has each record found by what it travels as, whatever it is stored as', async () => {
    const engine = await open(`sqlite:${fileIn(encoding)}`);
    const { records } = await ask(engine, { model, attributes: ['id', 'n'], size: 20 });
    expect(records).toHaveLength(ids.length);
    for (const { id, n } of records) {
      expect(id).toBe(ids[Number(n)]);
      const found = (members: object) => recordsOf(engine, { query_model: model, ...members });
      const by = (op: string) => found({ query_filter: { attribute: 'id', op, value: id } });
      expect(await by('eq')).toEqual([{ id }]);
      expect(await by('ne')).toHaveLength(ids.length - 1);
      expect(await found({ page: { containing: { id }, size: 1 } })).toEqual([{ id }]);
    }
  });
});

it('finds no text and no number of a SQLite file in UTF-16 by more or other bytes than its own', async () => {
  const database = databaseFile(
    `pragma encoding = 'UTF-16le';
     create table things (id integer primary key, v blob);
     insert into things (v) values ('a'), (5), (1.5);`,
  );
  const engine = await open(`sqlite:${database}`);
  for (const bytes of ['610062', '35', '0035', '350000', '312e35', '0031002e0035']) {
    const value = Buffer.from(bytes, 'hex').toString('base64');
    expect([bytes, await idsOf(engine, 'things', { attribute: 'v', op: 'eq', value })]).toEqual([
      bytes,
      [],
    ]);
  }
});

it.each(['contains', 'icontains', 'starts_with', 'istarts_with', 'ends_with', 'iends_with'])(
  'finds no bytes among the texts of a SQLite file by %s, and all of them by its negation',
  async (op) => {
    const database = databaseFile(
      `create table words (id integer primary key, word text, anything);
       insert into words (word) values ('aba'), (x'616261'), (x''), (7), ('7'), (''), (null);
       update words set anything = word; update words set anything = 7 where id = 4;`,
    );
    const attributes = { id: {}, word: {}, anything: { type: 'text' } } as const;
    const engine = await open(`sqlite:${database}`, { models: { words: { attributes } } });
    const found = (filter: object) => idsOf(engine, 'words', filter);
    for (const attribute of ['word', 'anything'])
      for (const [value, ids] of [
        ['', [1, 4, 5, 6]],
        ['a', [1]],
        ['7', [4, 5]],
      ] as const) {
        const others = [1, 2, 3, 4, 5, 6].filter((id) => !ids.some((one) => one === id));
        const filter = { attribute, op, value };
        expect([value, await found(filter)]).toEqual([value, ids]);
        expect([value, await found({ not: filter })]).toEqual([value, others]);
      }
  },
);
