import { DatabaseSync } from 'node:sqlite';

import type { Relation } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { introspect } from './introspect.ts';

function relationOf(script: string): Relation {
  const database = new DatabaseSync(':memory:');
  database.exec(script);
  const relation = introspect(database).find(({ name }) => name === 't');
  database.close();
  if (relation === undefined) throw new Error('The script makes no relation t.');
  return relation;
}

function keysOf(script: string): string[] {
  return relationOf(script).keys.map((key) =>
    key.map(({ column, collation }) => `${column} ${collation ?? ''}`.trim()).join(', '),
  );
}

function nullableOf(script: string): Record<string, boolean> {
  return Object.fromEntries(
    relationOf(script).columns.map(({ name, nullable }) => [name, nullable]),
  );
}

describe('the keys of a table', () => {
  it.each([
    ['an INTEGER PRIMARY KEY', 'create table t (id integer primary key, a)', ['id']],
    [
      'an INTEGER PRIMARY KEY with AUTOINCREMENT',
      'create table t (id integer primary key autoincrement)',
      ['id'],
    ],
    [
      'an INTEGER PRIMARY KEY as a table constraint',
      'create table t (a, id integer, primary key (id))',
      ['id'],
    ],
    [
      'an INTEGER PRIMARY KEY that is declared UNIQUE too',
      'create table t (id integer primary key unique)',
      ['id'],
    ],
    [
      'an INTEGER PRIMARY KEY with an index beside it',
      'create table t (id integer primary key); create unique index u on t (id)',
      ['id'],
    ],
    [
      'a NOT NULL primary key of text',
      'create table t (a text primary key not null)',
      ['a BINARY'],
    ],
    [
      'a composite primary key, in the order of the key',
      'create table t (a int not null, b int not null, primary key (b, a))',
      ['b BINARY, a BINARY'],
    ],
    [
      'a WITHOUT ROWID table',
      'create table t (a text, b int, primary key (a, b)) without rowid',
      ['a BINARY, b BINARY'],
    ],
    [
      'an INTEGER PRIMARY KEY of a WITHOUT ROWID table',
      'create table t (id integer primary key) without rowid',
      ['id BINARY'],
    ],
    ['a STRICT table', 'create table t (a text primary key, b any) strict', ['a BINARY']],
    [
      'a unique index on NOT NULL columns',
      'create table t (a int not null, b int not null); create unique index u on t (b, a)',
      ['b BINARY, a BINARY'],
    ],
    ['a UNIQUE constraint', 'create table t (a text not null unique)', ['a BINARY']],
    ['a NOCASE column', 'create table t (a text not null collate NOCASE unique)', ['a NOCASE']],
    [
      'an index under another collation than its column',
      'create table t (a text not null); create unique index u on t (a collate RTRIM)',
      ['a RTRIM'],
    ],
    [
      'a collation in small letters',
      'create table t (a text not null collate nocase unique)',
      ['a nocase'],
    ],
    [
      'a collation in small letters, of a WITHOUT ROWID table',
      'create table t (a text collate nocase primary key) without rowid',
      ['a nocase'],
    ],
  ])('come from %s', (_, script, keys) => {
    expect(keysOf(script)[0]?.toLowerCase()).toBe(keys[0]?.toLowerCase());
  });

  it('are the primary key first, then the narrowest index', () => {
    const script = `create table t (a int not null, b int not null, c int not null, d int not null, primary key (a, b, c), unique (b, c), unique (d))`;
    expect(keysOf(script)).toEqual([
      'a BINARY, b BINARY, c BINARY',
      'd BINARY',
      'b BINARY, c BINARY',
    ]);
  });

  it('hold the unique indexes beside an INTEGER PRIMARY KEY', () => {
    expect(keysOf('create table t (id integer primary key, a text not null unique)')).toEqual([
      'id',
      'a BINARY',
    ]);
  });
});

describe('a table without a usable key', () => {
  it.each([
    ['it has no key at all', 'create table t (a, b)'],
    [
      'its primary key of text may be NULL, by a quirk of SQLite',
      'create table t (a text primary key)',
    ],
    [
      'a column of its composite key may be NULL',
      'create table t (a int not null, b int, primary key (a, b))',
    ],
    [
      'its unique index covers only some rows',
      'create table t (a int not null); create unique index u on t (a) where a > 0',
    ],
    [
      'its unique index is on an expression',
      'create table t (a int not null); create unique index u on t (abs(a))',
    ],
    [
      'its unique index is on a nullable column',
      'create table t (a int); create unique index u on t (a)',
    ],
    ['its index is not unique', 'create table t (a int not null); create index u on t (a)'],
    ['its primary key is INT, not INTEGER, and may be NULL', 'create table t (id int primary key)'],
    [
      'its primary key is INTEGER … DESC, an ordinary column by a quirk of SQLite',
      'create table t (id integer primary key desc)',
    ],
  ])('is ordered by its rowid when %s', (_, script) => {
    const { columns, keys } = relationOf(script);
    expect(keys).toEqual([[{ column: 'rowid' }]]);
    expect(columns[0]).toMatchObject({ name: 'rowid', type: 'int64', nullable: false });
  });

  it.each([
    ['rowid', '_rowid_'],
    ['ROWID, _RowID_', 'oid'],
  ])('that has columns named %s calls its rowid %s', (names, expected) => {
    const { columns, keys } = relationOf(`create table t (${names})`);
    expect(keys).toEqual([[{ column: expected }]]);
    expect(columns[0]?.name).toBe(expected);
  });

  it('that uses all three names of the rowid has no key', () => {
    const { columns, keys } = relationOf('create table t (rowid, _rowid_, oid)');
    expect(keys).toEqual([]);
    expect(columns.map(({ name }) => name)).toEqual(['rowid', '_rowid_', 'oid']);
  });
});

describe('whether a column may be NULL', () => {
  it.each([
    ['an INTEGER PRIMARY KEY', 'create table t (a integer primary key)', false],
    [
      'an INTEGER PRIMARY KEY with an index beside it',
      'create table t (a integer primary key unique)',
      false,
    ],
    ['a NOT NULL column', 'create table t (a not null)', false],
    ['an ordinary column', 'create table t (a)', true],
    ['a primary key of text', 'create table t (a text primary key)', true],
    [
      'a primary key of a WITHOUT ROWID table',
      'create table t (a text primary key) without rowid',
      false,
    ],
    ['a primary key of a STRICT table', 'create table t (a text primary key) strict', false],
    [
      'a column of a view',
      'create table base (a not null); create view t as select a from base',
      true,
    ],
  ])('is known of %s', (_, script, nullable) => {
    expect(nullableOf(script)['a']).toBe(nullable);
  });
});

it('leaves out an index under a collation that SQLite does not bring along', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('create table t (a text not null, b text not null unique)');
  database.enableDefensive?.(false);
  database.exec('pragma writable_schema = on');
  database.exec(
    `update sqlite_schema set sql = 'create table t (a text not null, b text not null collate elsewhere unique)' where name = 't'`,
  );
  database.exec('pragma writable_schema = reset');
  expect(introspect(database)[0]?.keys).toEqual([[{ column: 'rowid' }]]);
});
