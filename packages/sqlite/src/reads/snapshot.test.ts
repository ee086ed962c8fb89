import { DatabaseSync } from 'node:sqlite';

import { type PageRange, Reads } from '@proj/engine/database';
import { describe, expect, it, onTestFinished } from 'vitest';

import { databaseFile } from '../../test/database-file.ts';
import { statements } from '../../../database-tests/test/statements.ts';
import { withTotal } from '../../../engine/src/sources/reads/page.ts';
import { Session } from './session.ts';
import type { Connection } from './snapshot.ts';
import { inSnapshot } from './snapshot.ts';

const PAGE = statements({
  rows: `select json_group_array(id), count(*) from t`,
  count: 'select count(*) from t',
});

/** The first page, or a deep one, for which the total is read before the rows. */
function read(
  connection: Connection,
  query = PAGE,
  range: PageRange = { size: 10, offset: 0n },
): Promise<ReturnType<typeof withTotal>> {
  return inSnapshot(connection, async (snapshot) =>
    withTotal(await Reads.PAGE.inSnapshot(snapshot, { query, range }, {}), range),
  );
}

function walFile(): string {
  return databaseFile(
    'pragma journal_mode = wal; create table t (id integer primary key); insert into t values (1), (2), (3)',
  );
}

/** A connection to a file, until the test ends. */
function opened(path = walFile()): { path: string; connection: Session } {
  const connection = new Session(path, 1);
  onTestFinished(() => connection.database.close());
  return { path, connection };
}

/** A connection that lets another one write and commit between the rows and the count. */
function interrupted(path: string, connection: Session): Connection {
  return {
    database: connection.database,
    prepare(sql) {
      if (sql === PAGE.count.sql) {
        const writer = new DatabaseSync(path);
        writer.exec('insert into t values (4); delete from t where id < 3');
        writer.close();
      }
      return connection.prepare(sql);
    },
  };
}

describe('a page of a file that is written to', () => {
  it('does not show a write that commits between the rows and the count', async () => {
    const { path, connection } = opened();
    expect(await read(interrupted(path, connection), PAGE)).toMatchObject({
      total: 3n,
      json: '[1,2,3]',
    });
    expect(await read(connection, PAGE)).toMatchObject({ total: 2n, json: '[3,4]' });
  });

  it('would show it without the transaction, which shows that the test can fail', async () => {
    const { path, connection } = opened();
    const database = { exec: () => {}, isTransaction: false };
    expect(await read({ ...interrupted(path, connection), database }, PAGE)).toMatchObject({
      total: 2n,
      json: '[1,2,3]',
    });
  });
});

describe('the transaction of a page', () => {
  it('is over when the page is read, so that the next one sees later writes', async () => {
    const { connection } = opened();
    await read(connection, PAGE);
    expect(connection.database.isTransaction).toBe(false);
  });

  it.each([
    ['count', statements({ rows: PAGE.rows.sql, count: 'select count(*) from gone' })],
    ['rows', statements({ rows: 'select abs(-9223372036854775808), 1', count: PAGE.count.sql })],
  ])('is over when the %s fails, and the connection stays usable', async (_, broken) => {
    const { connection } = opened();
    await expect(read(connection, broken)).rejects.toThrow(/no such table|integer overflow/);
    expect(connection.database.isTransaction).toBe(false);
    expect(await read(connection, PAGE)).toMatchObject({ total: 3n });
  });

  it('holds no lock afterwards: a writer of a file without WAL goes ahead', async () => {
    const { path, connection } = opened(
      databaseFile('create table t (id integer primary key); insert into t values (1)'),
    );
    await read(connection, PAGE);
    const writer = new DatabaseSync(path, { timeout: 0 });
    writer.exec('insert into t values (2)');
    writer.close();
    expect(await read(connection, PAGE)).toMatchObject({ total: 2n });
  });
});

describe('a page far past the end', () => {
  it('does not run the rows at all', async () => {
    const { connection } = opened();
    const past = statements({ rows: 'select abs(-9223372036854775808), 1', count: PAGE.count.sql });
    expect(await read(connection, past, { size: 10, offset: 5000n })).toMatchObject({
      total: 3n,
      json: '[]',
      rows: 0,
    });
  });
});

describe('a page that is not full', () => {
  it('proves the total, and nothing is counted', async () => {
    const { connection } = opened();
    const query = {
      ...statements({ rows: PAGE.rows.sql, count: 'select count(*) from gone' }),
      shortPageProof: true,
    };
    expect(await read(connection, query)).toMatchObject({ total: 3n, rows: 3 });
    expect(await read(connection, query, { size: 10, offset: 20n })).toMatchObject({ total: 23n });
    await expect(read(connection, query, { size: 3, offset: 0n })).rejects.toThrow('no such table');
  });

  it('proves nothing when it is empty, unless it is the first', async () => {
    const { connection } = opened();
    const query = {
      ...statements({ rows: `select '[]', 0`, count: 'select count(*) from t' }),
      shortPageProof: true,
    };
    expect(await read(connection, query)).toMatchObject({ total: 0n });
    expect(await read(connection, query, { size: 10, offset: 10n })).toMatchObject({ total: 3n });
  });
});

describe('a reader connection', () => {
  it('never creates a file', () => {
    const path = `${databaseFile()}.missing`;
    expect(() => new Session(path, 1)).toThrow('ENOENT');
    expect(() => new Session(path, 1)).toThrow('ENOENT');
  });

  it.each([
    'insert into t values (9)',
    'drop table t',
    'pragma user_version = 7',
    'create table u (a)',
  ])('cannot %s', (sql) => {
    const { connection } = opened();
    expect(() => connection.database.exec(sql)).toThrow('attempt to write a readonly database');
  });

  it('prepares a statement once', () => {
    const { connection } = opened();
    expect(connection.prepare('select 1')).toBe(connection.prepare('select 1'));
  });

  it('sees a changed schema through a statement that it keeps', () => {
    const { path, connection } = opened();
    expect(connection.prepare('select * from t').get()).toEqual([1n]);
    const writer = new DatabaseSync(path);
    writer.exec(`alter table t add column more text default 'x'`);
    writer.close();
    expect(connection.prepare('select * from t').get()).toEqual([1n, 'x']);
  });
});
