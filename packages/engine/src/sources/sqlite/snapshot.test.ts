import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { databaseFile } from '../../../test/database-file.ts';
import { statements } from '../../../test/statements.ts';
import { ReaderConnection } from './reader-connection.ts';
import { type Connection, readInOneSnapshot } from './snapshot.ts';

const PAGE = statements({ rows: `select json_group_array(id) from t`, count: 'select count(*) from t' });

function walFile(): string {
  return databaseFile('pragma journal_mode = wal; create table t (id integer primary key); insert into t values (1), (2), (3)');
}

/** A connection that lets another one write and commit between the count and the rows. */
function interrupted(path: string, connection: ReaderConnection): Connection {
  return {
    database: connection.database,
    prepare(sql) {
      if (sql === PAGE.rows.sql) {
        const writer = new DatabaseSync(path);
        writer.exec('insert into t values (4); delete from t where id < 3');
        writer.close();
      }
      return connection.prepare(sql);
    },
  };
}

describe('a page of a file that is written to', () => {
  it('does not show a write that commits between the count and the rows', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    expect(readInOneSnapshot(interrupted(path, connection), PAGE)).toMatchObject({ total: 3n, json: '[1,2,3]' });
    expect(readInOneSnapshot(connection, PAGE)).toMatchObject({ total: 2n, json: '[3,4]' });
    connection.database.close();
  });

  it('would show it without the transaction, which shows that the test can fail', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    const database = { exec: () => {}, isTransaction: false };
    expect(readInOneSnapshot({ ...interrupted(path, connection), database }, PAGE)).toMatchObject({ total: 3n, json: '[3,4]' });
    connection.database.close();
  });
});

describe('the transaction of a page', () => {
  it('is over when the page is read, so that the next one sees later writes', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    readInOneSnapshot(connection, PAGE);
    expect(connection.database.isTransaction).toBe(false);
    connection.database.close();
  });

  it.each([
    ['count', statements({ rows: PAGE.rows.sql, count: 'select count(*) from gone' })],
    ['rows', statements({ rows: 'select abs(-9223372036854775808)', count: PAGE.count.sql })],
  ])('is over when the %s fails, and the connection stays usable', (_, broken) => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    expect(() => readInOneSnapshot(connection, broken)).toThrow(/no such table|integer overflow/);
    expect(connection.database.isTransaction).toBe(false);
    expect(readInOneSnapshot(connection, PAGE)).toMatchObject({ total: 3n });
    connection.database.close();
  });

  it('holds no lock afterwards: a writer of a file without WAL goes ahead', () => {
    const path = databaseFile('create table t (id integer primary key); insert into t values (1)');
    const connection = new ReaderConnection(path, path);
    readInOneSnapshot(connection, PAGE);
    const writer = new DatabaseSync(path, { timeout: 0 });
    writer.exec('insert into t values (2)');
    writer.close();
    expect(readInOneSnapshot(connection, PAGE)).toMatchObject({ total: 2n });
    connection.database.close();
  });
});

describe('a page past the end', () => {
  it('does not run the rows at all', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    const past = statements({ rows: 'select abs(-9223372036854775808)', count: PAGE.count.sql, offset: 3n });
    expect(readInOneSnapshot(connection, past)).toMatchObject({ total: 3n, json: '[]' });
    connection.database.close();
  });
});

describe('a reader connection', () => {
  it('never creates a file', () => {
    const path = `${databaseFile()}.missing`;
    expect(() => new ReaderConnection(path, path)).toThrow('unable to open database file');
    expect(() => new ReaderConnection(path, path)).toThrow('unable to open database file');
  });

  it.each(['insert into t values (9)', 'drop table t', 'pragma user_version = 7', 'create table u (a)'])('cannot %s', (sql) => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    expect(() => connection.database.exec(sql)).toThrow('attempt to write a readonly database');
    connection.database.close();
  });

  it('prepares a statement once', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    expect(connection.prepare('select 1')).toBe(connection.prepare('select 1'));
    connection.database.close();
  });

  it('sees a changed schema through a statement that it keeps', () => {
    const path = walFile();
    const connection = new ReaderConnection(path, path);
    expect(connection.prepare('select * from t').get()).toEqual([1n]);
    const writer = new DatabaseSync(path);
    writer.exec(`alter table t add column more text default 'x'`);
    writer.close();
    expect(connection.prepare('select * from t').get()).toEqual([1n, 'x']);
    connection.database.close();
  });
});
