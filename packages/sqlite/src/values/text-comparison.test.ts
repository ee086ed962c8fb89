import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { sqliteDialect } from '../dialect.ts';
import { defineFunctions } from './functions.ts';
import { textMatches } from './text-comparison.ts';

const ENCODINGS = ['UTF-8', 'UTF-16le', 'UTF-16be'];

function open(encoding = 'UTF-8'): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(`pragma encoding = '${encoding}'; create table t (v, n text collate nocase)`);
  database.exec('create index i on t (n); create index b on t (n collate binary)');
  defineFunctions(database);
  return database;
}

interface Found extends Omit<Parameters<typeof textMatches>[1], 'value'> {
  readonly column?: string;
  readonly explain?: string;
}

const IN_ANY_CASE = { at: 'whole', ignoreCase: true } as const;
const AT_START = { at: 'start', ignoreCase: false } as const;

function found(
  database: DatabaseSync,
  value: string,
  { column = 'v', explain = '', ...match }: Found = IN_ANY_CASE,
): unknown[] {
  const databaseType = column === 'n' ? 'TEXT' : '';
  const condition = textMatches(sql.id(column), { value, ...match }, { databaseType });
  const statement = sql`${sql.raw(explain)} select v from t where ${condition}`;
  const { sql: written, parameters } = statement.compile(sqliteDialect.kysely);
  return database.prepare(written).all(...(parameters as string[]));
}

const letters = fc.constantFrom('k', 'K', '\u212a', 'a', 'A', 's', '\u017f', 'é', 'É', ' ', '\0');
const text = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));

it.each(ENCODINGS)(
  'texts in any letter case are found among all in %s, also where an ASCII text may equal others',
  (encoding) => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1 }), text, (texts, value) => {
        const database = open(encoding);
        for (const one of texts) database.prepare('insert into t values (?, ?)').run(one, one);
        const same = texts.filter((one) => one.toLowerCase() === value.toLowerCase());
        expect(found(database, value)).toEqual(same.map((v) => ({ v })));
        database.close();
      }),
    );
  },
);

it('values that are no texts are found as `eq` finds them, and neither is unknown', () => {
  const database = open();
  database.exec("insert into t (v) values (x'00ff'), (x'6b'), (7), ('K'), (null)");
  expect(found(database, 'AP8=')).toHaveLength(1);
  expect(found(database, 'ap8=')).toHaveLength(0);
  expect(found(database, 'k')).toEqual([{ v: 'K' }]);
});

it('an index under nocase serves a text of ASCII', () => {
  const database = open();
  const explained = { ...IN_ANY_CASE, column: 'n', explain: 'explain query plan' };
  const plan = (value: string) => JSON.stringify(found(database, value, explained));
  expect(plan('kick it')).toContain('SEARCH t USING INDEX i');
  expect(plan('é')).toContain('SCAN t');
});

it('an index of bytes serves the beginning of a text, up to its last character of ASCII', () => {
  const database = open();
  const explained = { ...AT_START, column: 'n', explain: 'explain query plan' };
  const plan = (value: string) => JSON.stringify(found(database, value, explained));
  expect(plan('kick é')).toContain('SEARCH t USING INDEX b');
  expect(plan('é')).toContain('SCAN t');
});

it.each(ENCODINGS)('the beginnings of texts in %s are exact', (encoding) => {
  const characters = fc.constantFrom(
    'a',
    'b',
    '~',
    '\x7f',
    '\0',
    'ÿ',
    '\u0100',
    '\uff00',
    '😁',
    ' ',
  );
  const word = fc.array(characters, { maxLength: 4 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1 }), word, (texts, value) => {
      const database = open(encoding);
      for (const one of texts) database.prepare('insert into t values (?, ?)').run(one, one);
      const same = texts.filter((one) => one.startsWith(value)).map((v) => ({ v }));
      const all = found(database, value, { ...AT_START, column: 'n' });
      expect(new Set(all)).toEqual(new Set(same));
      database.close();
    }),
  );
});
