import { type Answer, type Engine, EVERYTHING } from '@proj/engine';
import { createConnection } from 'mysql2/promise';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';

import { Connection } from '../../../mysql/src/connection/connection.ts';
import { unversioned } from '../../../engine/src/sources/reads/snapshot.ts';
import { SnapshotVersions } from '../../../mysql/src/versions/snapshot-versions.ts';
import { StatusGate } from '../../../mysql/src/versions/status-gate.ts';
import { readMysqlUrl } from '../../../mysql/src/connection/url.ts';
import { facetsBody } from '../databases/checked-facets.ts';
import { ask, open } from '../open.ts';
import { numbersTo, type Product, useOwn } from './mariadb.ts';

const SQL = `
  create table plain (id int primary key, word varchar(20));
  insert into plain ${numbersTo(900, 'n, n')};
  create table kept (id int primary key, word varchar(20), twice int as (id * 2) stored);
  insert into kept (id) values (1);
  create table parts (id int primary key) partition by range (id)
    (partition low values less than (10), partition high values less than (20));
  insert into parts values (1);
  create table parent (id int primary key);
  create table child (
    id int primary key,
    parent int,
    foreign key (parent) references parent (id) on delete cascade
  );
  insert into parent values (1), (2);
  insert into child values (1, 1), (2, 2);
  create table locked (id int primary key) engine = MyISAM;
  insert into locked values (1);
  create table held (id int primary key) engine = MEMORY;
  insert into held values (1);
  create view shown as select id, now() as moment from plain;
  create user reader@'%';
  grant select on test.* to reader@'%';
  create user watcher@'%';
  grant select on test.* to watcher@'%';
  grant process on *.* to watcher@'%';`;

/** What only one of the products has, and how it writes what both have. */
const ONLY_ON = {
  MariaDB: {
    sql: `
      create table computed (id int primary key, moment datetime as (now()) virtual);
      insert into computed (id) values (1);
      create table aria (id int primary key) engine = Aria;
      insert into aria values (1);
      create table dated (id int primary key) with system versioning;
      insert into dated values (1);`,
    unknown: ['aria', 'dated'],
    moment: 'now(6)',
    instant: ', algorithm = instant',
    changes: [
      'alter table plain engine = Aria',
      'alter table plain engine = InnoDB',
      'alter table plain add system versioning',
    ],
    becomes: [['keeps old rows', 'alter table t add system versioning']],
  },
  MySQL: {
    sql: `
      create table computed (id int primary key, twice int as (id * 2) virtual);
      insert into computed (id) values (1);`,
    unknown: [],
    moment: `timestamp '2026-01-02 00:00:00'`,
    instant: '',
    changes: [`alter table plain comment = 'another'`],
    becomes: [],
  },
} as const;

/** Nothing writes but the test. */
const SETTINGS = ['innodb-stats-persistent=off'];

/** What holds of versions, of each product in a file of its own: both have to start and restart. */
export function testVersions(product: Product): void {
  const isMariadb = product.name === 'MariaDB';
  const only = ONLY_ON[product.name];
  const mariadb = useOwn(product, { settings: SETTINGS, sql: SQL + only.sql });
  const models = { shown: { key: ['id'] } };
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(mariadb().url.replace('root@', 'watcher@'), { models });
  });

  async function version(model: string, asked = engine): Promise<string | undefined> {
    const body = { query_model: model, query_attributes: ['id'], page: { page: 1, size: 1 } };
    return (await asked.query(body, EVERYTHING)).version;
  }

  /** While versions change fast, pages are read without any now and then. */
  async function knownVersion(model: string, asked = engine): Promise<string> {
    for (;;) {
      const found = await version(model, asked);
      if (found !== undefined) return found;
    }
  }

  it.each(['plain', 'kept', 'parts', 'child'])(
    'are known for %s, which InnoDB stores as it is shown',
    async (model) => {
      expect(await knownVersion(model)).toMatch(/^[\w-]{22}$/);
      await expect.poll(() => areSame(() => knownVersion(model))).toBe(true);
    },
  );

  it.each(['computed', 'locked', 'held', 'shown', ...only.unknown])(
    'are unknown for %s, which may change without a write to InnoDB',
    async (model) => {
      expect(await version(model)).toBeUndefined();
      const body = facetsBody({ model, facets: [{ attribute: 'id', bins: 2 }] });
      const first = await engine.facets(body, EVERYTHING);
      expect([first.version, (await engine.facets(body, EVERYTHING)).json]).toEqual([
        undefined,
        first.json,
      ]);
    },
  );

  it('are those of the pages for facets', async () => {
    const facets = [{ attribute: 'id', bins: 2 }];
    let asked = 0;
    const versions = async (): Promise<unknown[]> => {
      asked += 1;
      const filter = { attribute: 'id', op: 'lte', value: asked };
      const body = facetsBody({ model: 'plain', facets, filter });
      const { version: ofFacets } = await engine.facets(body, EVERYTHING);
      return [ofFacets === undefined, ofFacets === (await version('plain'))];
    };
    await expect.poll(versions).toEqual([false, true]);
  });

  it('are unknown to an account without the right PROCESS, whose pages are exact all the same', async () => {
    const reader = await open(mariadb().url.replace('root@', 'reader@'), { models });
    expect(await version('plain', reader)).toBeUndefined();
    expect(await version('plain', reader)).toBeUndefined();
    const { page } = await ask(reader, { model: 'plain', attributes: ['id'] });
    expect(page.total).toBe('900');
    const body = { query_model: 'plain', query_attributes: ['id'] };
    const call = { signal: AbortSignal.timeout(60_000), caller: 'someone', seesVersion: true };
    const { first } = await reader.watch(body, EVERYTHING, call);
    expect(first.list).toEqual({ total: '900', checked_every_ms: 10_000 });
  });

  it('are those of a watched list again once whoever wrote when it began has ended', async () => {
    const settings = { models, watchCheckMs: 100, watchReadMs: 100 };
    const patient = await open(mariadb().url.replace('root@', 'watcher@'), settings);
    const writer = await createConnection(mariadb().url);
    await writer.query('begin');
    await writer.query(`insert into plain values (-7, '')`);
    const body = { query_model: 'plain', query_attributes: ['id'], watch_every_ms: 100 };
    const leaving = new AbortController();
    const call = { signal: leaving.signal, caller: 'someone', seesVersion: true };
    const watched = await patient.watch(body, EVERYTHING, call);
    await writer.query('rollback');
    await writer.end();
    let { list } = watched.first;
    await watched.follow((state) => {
      ({ list } = state);
      return list.version === undefined;
    });
    leaving.abort();
    expect(list).toEqual({
      total: watched.first.list.total,
      version: expect.any(String) as string,
    });
  });

  it('are the same for everybody who asks the same server', async () => {
    const other = await open(mariadb().url, { models });
    const ofBoth = [() => knownVersion('plain', other), () => knownVersion('plain')] as const;
    await expect.poll(() => areSame(...ofBoth)).toBe(true);
  });

  it('stay while a transaction is open, and change when it is committed', async () => {
    const writer = await createConnection(mariadb().url);
    onTestFinished(() => writer.end());
    await writer.query('begin');
    const idle = await knownVersion('plain');
    await writer.query(`insert into plain values (-1, '')`);
    // MySQL names the transactions that have written. Beside those MariaDB may name nothing.
    let begun: string | undefined;
    await expect
      .poll(async () => {
        begun = isMariadb ? await version('plain') : await knownVersion('plain');
        return [isMariadb ? idle : begun, undefined].includes(await version('plain'));
      })
      .toBe(true);
    await writer.query('commit');
    const after = await knownVersion('plain');
    expect([idle, begun]).not.toContain(after);
  });

  it.each([
    'insert into plain values (0, null)',
    'set sql_log_bin = 0; update plain set word = 5 where id = 1',
    'delete from parent where id = 2',
    `alter table plain modify word varchar(20) collate utf8mb4_bin${only.instant}`,
    'alter table plain add column extra int default 7, algorithm = instant',
    'alter table plain rename column word to other, rename column extra to word',
    'alter table kept modify twice int as (id * 3) stored',
    'alter table parts truncate partition low',
    'alter table parts drop partition low',
    'rename table parent to moved',
    'rename table moved to parent',
    'truncate plain',
    'drop table plain; create table plain (id int primary key)',
    `alter table plain add column moment datetime(6) as (${only.moment}) virtual, algorithm = instant`,
    'alter table plain drop column moment, algorithm = instant',
    'alter table plain engine = MyISAM',
    'alter table plain engine = InnoDB',
    ...only.changes,
    'create view other as select 1 as id; rename table plain to gone, other to plain',
  ])('change with: %s', async (sql) => {
    const before = await knownVersion('child');
    await mariadb().client(sql);
    expect(await knownVersion('child')).not.toBe(before);
  });

  it.runIf(isMariadb)('are found without a look at the tables of other databases', async () => {
    const columns = Array.from({ length: 300 }, (_, index) => `c${index} int`);
    await mariadb().client(`create database others; create table others.t (${columns.join(', ')})`);
    const written = async (): Promise<number> => {
      const status = await mariadb().client(`show global status like 'Handler_tmp_write'`);
      return Number(status.split('\t')[1]);
    };
    const before = await knownVersion('kept');
    await mariadb().client('insert into parent values (10)');
    const known = await written();
    expect(await knownVersion('kept')).not.toBe(before);
    expect((await written()) - known).toBeLessThan(300);
  });

  /** What a table may become, in whose rows there is the time, or writes of another engine. */
  const becomes = [
    [
      'computes a column',
      `alter table t drop column n, add column n datetime(6) as (${only.moment}) virtual`,
    ],
    ['is of another engine', 'alter table t engine = MyISAM'],
    [
      'is a view of its name',
      'create view v as select id, now(6) as n from kept; rename table t to t_was, v to t',
    ],
    ...only.becomes,
  ] as const;

  it.each(becomes)('are unknown from the moment at which a table %s', async (_, change) => {
    const url = mariadb().url.replace('root@', 'watcher@');
    await mariadb().client(
      'drop view if exists t; drop view if exists v; drop table if exists t, t_was',
    );
    await mariadb().client('create table t (id int primary key, n datetime(6))');
    await mariadb().client(`insert into t values (1, '2026-01-01')`);
    // It reads the schema only when it is opened.
    const own = await open(url, { models: { t: { key: ['id'] } }, schemaCheckMs: 600_000 });
    await knownVersion('t', own);
    await mariadb().client(change);
    const read = (): Promise<Answer> =>
      own.query(
        { query_model: 't', query_attributes: ['id', 'n'], page: { page: 1, size: 5 } },
        EVERYTHING,
      );
    for (let asked = 0; asked < 5; asked++) {
      expect((await read()).version).toBeUndefined();
      // Versions that last are asked for again and again.
      await knownVersion('kept');
    }
    await own.close();
  });

  it('let rows be read while they change fast, as long as the latest one is the current one', async () => {
    const gate = new StatusGate();
    vi.spyOn(gate, 'isInVain', 'get').mockReturnValue(true);
    const versions = new SnapshotVersions(gate);
    const connection = await Connection.open(readMysqlUrl(mariadb().url));
    const relations = [['kept']];
    const work = async () => unversioned({ rows: await connection.command('select id from kept') });
    const read = () => versions.readLatest(connection, { work, relations });
    expect(await read()).toBeUndefined();
    await expect
      .poll(async () => {
        const { version: known } = await versions.read(connection, { work, relations });
        return known !== undefined && (await read())?.version === known;
      })
      .toBe(true);
    await mariadb().client('insert into parent values (9)');
    expect(await read()).toBeUndefined();
    connection.destroy();
  });

  it('are none of rows during whose read somebody commits', async () => {
    const connection = await Connection.open(readMysqlUrl(mariadb().url));
    onTestFinished(() => connection.destroy());
    const gate = new StatusGate();
    vi.spyOn(gate, 'isInVain', 'get').mockReturnValue(false);
    const versions = new SnapshotVersions(gate);
    const relations = [['kept']];
    const work = async () => unversioned({ rows: await connection.command('select id from kept') });
    await expect
      .poll(async () => (await versions.read(connection, { work, relations })).version)
      .toBeDefined();
    const read = async () => {
      await mariadb().client('insert into parent values (12)');
      return work();
    };
    const found = await versions.readLatest(connection, { work: read, relations });
    expect(found).toEqual({ rows: [[1]], version: undefined });
  });

  it.runIf(isMariadb)(
    'are asked for as before while this process is busy, as the server takes the time',
    async () => {
      const gate = new StatusGate();
      const note = vi.spyOn(gate, 'note');
      const versions = new SnapshotVersions(gate);
      const connection = await Connection.open(readMysqlUrl(mariadb().url));
      const busy = setInterval(() => spin(5), 0);
      for (let report = 0; report < 20; report++) await versions.current(connection);
      clearInterval(busy);
      connection.destroy();
      expect(gate.isOpen).toBe(true);
      expect(note).toHaveBeenCalledTimes(20);
      for (const [{ milliseconds }] of note.mock.calls) expect(milliseconds).toBeGreaterThan(0);
    },
  );

  it('are asked for as before when a caller left while they were asked for', async () => {
    const gate = new StatusGate();
    const connection = await Connection.open(readMysqlUrl(mariadb().url));
    connection.halt();
    const asking = new SnapshotVersions(gate).current(connection);
    await expect(asking).rejects.toThrow('The connection is being stopped.');
    expect(gate.isOpen).toBe(true);
    connection.destroy();
  });

  it.skipIf(isMariadb)('are known while a transaction is prepared', async () => {
    const before = await knownVersion('kept');
    const writer = await createConnection(mariadb().url);
    onTestFinished(() => writer.end());
    for (const sql of [`xa start 'x'`, 'insert into parent values (11)', `xa end 'x'`])
      await writer.query(sql);
    await writer.query(`xa prepare 'x'`);
    const prepared = await knownVersion('kept');
    expect(prepared).not.toBe(before);
    await expect.poll(() => areSame(() => knownVersion('kept'))).toBe(true);
    await writer.query(`xa commit 'x'`);
    expect(await knownVersion('kept')).not.toBe(prepared);
  });

  it.skipIf(isMariadb)('are unknown while a status is as long as one that is cut', async () => {
    const own = await Connection.open(readMysqlUrl(mariadb().url));
    onTestFinished(() => own.destroy());
    expect(await new SnapshotVersions().current(own)).toBeDefined();
    const writer = await createConnection({ uri: mariadb().url, multipleStatements: true });
    onTestFinished(() => writer.end());
    await writer.query(`create table long_rows (id int primary key, word varchar(20));
      insert into long_rows ${numbersTo(900, 'n, n')};
      set global innodb_status_output_locks = on; begin; select * from long_rows for update`);
    expect(await new SnapshotVersions().current(own)).toBeUndefined();
    await writer.query('commit; set global innodb_status_output_locks = off');
    expect(await new SnapshotVersions().current(own)).toBeDefined();
  });

  it('are others after a restart of the server', async () => {
    const before = await knownVersion('kept');
    await mariadb().restart();
    expect((await ask(engine, { model: 'kept', attributes: ['id'] })).page.total).toBe('1');
    expect(await knownVersion('kept')).not.toBe(before);
  });
}

/** A server moves its version by itself now and then: MySQL keeps house in transactions. */
async function areSame(find: () => Promise<unknown>, again = find): Promise<boolean> {
  return (await find()) === (await again());
}

/** Lets nothing else run in this process. */
function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
