import { EVERYTHING } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { ask, bodyOf, open } from '../open.ts';

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

const FILE = databaseFile(
  `create table things (id blob primary key not null, n integer) without rowid;
   insert into things values ${rowsOf(VALUES)};
   create table words (id text primary key not null, n integer) without rowid;
   insert into words values ${rowsOf(TEXT_KEYS)};`,
);

function inBase64(text: string): string {
  return Buffer.from(text, text.startsWith('\xff') ? 'latin1' : 'utf8').toString('base64');
}

describe.each([
  ['bytes', 'things', VALUES.map(([, text]) => inBase64(text))],
  ['texts', 'words', TEXT_KEYS.map(([, text]) => text)],
])('a key of %s in a SQLite file', (_, model, ids) => {
  it('has each record found by what it travels as, whatever it is stored as', async () => {
    const engine = await open(`sqlite:${FILE}`);
    const { records } = await ask(engine, { model, attributes: ['id', 'n'], size: 20 });
    expect(records).toHaveLength(ids.length);
    for (const { id, n } of records) {
      expect(id).toBe(ids[Number(n)]);
      const found = async (query_filter: object): Promise<unknown> => {
        const body = { ...bodyOf({ model, attributes: ['id'], size: 20 }), query_filter };
        return JSON.parse((await engine.query(body, EVERYTHING)).result);
      };
      expect(await found({ attribute: 'id', op: 'eq', value: id })).toEqual([{ id }]);
      expect(await found({ attribute: 'id', op: 'ne', value: id })).toHaveLength(ids.length - 1);
      const page = { containing: { id }, size: 1 };
      const body = { query_model: model, query_attributes: ['id'], page };
      expect(JSON.parse((await engine.query(body, EVERYTHING)).result)).toEqual([{ id }]);
    }
  });
});
