import { DatabaseSync } from 'node:sqlite';

import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { sqliteDialect } from '../dialect.ts';
import { defineFunctions } from './functions.ts';
import { textMatches } from './text-comparison.ts';

function open(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec('create table t (v, n text collate nocase); create index i on t (n)');
  defineFunctions(database);
  return database;
}

/** The same in all letter cases, by a column of its own. */
function found(database: DatabaseSync, value: string, column = 'v', explain = ''): unknown[] {
  const text = { value, at: 'whole', ignoreCase: true } as const;
  const condition = textMatches(sql.id(column), text);
  const statement = sql`${sql.raw(explain)} select v from t where ${condition}`;
  const { sql: written, parameters } = statement.compile(sqliteDialect.kysely);
  return database.prepare(written).all(...(parameters as string[]));
}

const letters = fc.constantFrom('k', 'K', '\u212a', 'a', 'A', 's', '\u017f', 'é', 'É', ' ', '\0');
const text = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));

it('texts in any letter case are found among all, also where an ASCII text may equal others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { minLength: 1 }), text, (texts, value) => {
      const database = open();
      for (const one of texts) database.prepare('insert into t values (?, ?)').run(one, one);
      const same = texts.filter((one) => one.toLowerCase() === value.toLowerCase());
      expect(found(database, value)).toEqual(same.map((v) => ({ v })));
      database.close();
    }),
  );
});

it('values that are no texts are found as `eq` finds them, and neither is unknown', () => {
  const database = open();
  database.exec("insert into t (v) values (x'00ff'), (x'6b'), (7), ('K'), (null)");
  expect(found(database, 'AP8=')).toHaveLength(1);
  expect(found(database, 'ap8=')).toHaveLength(0);
  expect(found(database, 'k')).toEqual([{ v: 'K' }]);
});

it('an index under nocase serves a text of ASCII', () => {
  const database = open();
  const plan = (value: string) => JSON.stringify(found(database, value, 'n', 'explain query plan'));
  expect(plan('kick it')).toContain('SEARCH t USING INDEX i');
  expect(plan('é')).toContain('SCAN t');
});
