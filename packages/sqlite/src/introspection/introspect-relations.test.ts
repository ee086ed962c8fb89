import { DatabaseSync } from 'node:sqlite';

import type { Relation } from '@proj/engine/database';
import { describe, expect, it } from 'vitest';

import { introspect } from './introspect.ts';

function relationsOf(script: string): Relation[] {
  const database = new DatabaseSync(':memory:');
  database.exec(script);
  const relations = introspect(database);
  database.close();
  return relations;
}

describe('the relations of a file', () => {
  it('are its tables and views by name', () => {
    const relations = relationsOf(
      'create table b (x int); create view a as select x from b; create table c (x int)',
    );
    expect(relations.map(({ name, kind }) => [name, kind])).toEqual([
      ['a', 'view'],
      ['b', 'table'],
      ['c', 'table'],
    ]);
  });

  it('are none in an empty file', () => {
    expect(relationsOf('')).toEqual([]);
  });

  it("leave out SQLite's own tables and temporary ones", () => {
    const script = `create table t (id integer primary key autoincrement); create table sqlitex (a); create index i on t (id); analyze; create temp table passing (a)`;
    expect(relationsOf(script).map(({ name }) => name)).toEqual(['sqlitex', 't']);
  });

  it('say of a virtual table that it is not served, and leave its shadow tables out', () => {
    const relations = relationsOf('create virtual table notes using fts5 (body)');
    expect(relations).toMatchObject([
      {
        name: 'notes',
        columns: [],
        keys: [],
        unusable: expect.stringContaining('virtual table') as string,
      },
    ]);
  });

  it('say of a broken view why it cannot be read, and keep the others', () => {
    const relations = relationsOf('create view broken as select x from gone; create table t (a)');
    expect(relations).toMatchObject([
      { name: 'broken', columns: [], unusable: 'SQLite cannot read it: no such table: main.gone.' },
      { name: 't' },
    ]);
    expect(relations[1]).not.toHaveProperty('unusable');
  });

  it('say of a view that reads itself why it cannot be read', () => {
    expect(relationsOf('create view v as select * from v')[0]?.unusable).toContain(
      'circularly defined',
    );
  });
});

describe('the columns of a relation', () => {
  it('carry the declared type and the wire type, in the order of the table', () => {
    const [relation] = relationsOf(
      'create table t (id integer primary key, b VarChar(20), c, d decimal(10,2))',
    );
    expect(
      relation?.columns.map(({ name, databaseType, type }) => [name, databaseType, type]),
    ).toEqual([
      ['id', 'INTEGER', 'int64'],
      ['b', 'VarChar(20)', 'text'],
      ['c', '', 'any'],
      ['d', 'decimal(10,2)', 'decimal'],
    ]);
  });

  it('include generated ones, virtual and stored', () => {
    const [relation] = relationsOf(
      'create table t (id integer primary key, a int, b int generated always as (a * 2) virtual, c text as (a || b) stored)',
    );
    expect(relation?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'int64'],
      ['a', 'int64'],
      ['b', 'int64'],
      ['c', 'text'],
    ]);
  });

  it('of a view keep the types of the columns they show, and expressions are of any type', () => {
    const [, view] = relationsOf(
      'create table t (a int, b text); create view v as select a, b, a + 1 as c from t',
    );
    expect(view?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['a', 'int64'],
      ['b', 'text'],
      ['c', 'any'],
    ]);
    expect(view?.keys).toEqual([]);
  });

  it('of a STRICT table are read like others', () => {
    const [relation] = relationsOf(
      'create table t (a int primary key, b any, c blob, d real) strict',
    );
    expect(relation?.columns.map(({ type }) => type)).toEqual(['int64', 'any', 'bytes', 'float64']);
  });
});
