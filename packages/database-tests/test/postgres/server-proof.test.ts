import type { Engine } from '@proj/engine';
import type { TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { ask, open } from '../open.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { connect, openSource, read, urlOf, usePostgres, useTwin } from './server.ts';
import { type Routed, startStatementRouter } from './statement-router.ts';

/** How many records each server shows: each of them says so in all of its records. */
const FIRST = 2000;
const SECOND = 2500;

const sqlOf = (rows: number): string => `
  ${COUNTED_TABLE} ${fillCounted(rows)}
  create role lacking login; grant select on counted to lacking;
  create schema near; create table near."by.here" (id int primary key);
  create schema "near.by"; create table "near.by".here (id int primary key);`;

/** Who has them stores data in another way than PostgreSQL. */
const CHANGED = `create database changed;
  \\c changed
  set allow_system_table_mods = on;
  create table pg_catalog.pg_shard_of_table (id int);
  create table counted (id int primary key); insert into counted select generate_series(1, 20);`;

/** As Citus has them. */
const DISTRIBUTED = `create database distributed;
  \\c distributed
  set allow_system_table_mods = on;
  create table pg_catalog.pg_dist_shard (shardid int);
  create table pg_catalog.pg_dist_node (nodeid int);`;

/** It refuses the age of a transaction, which is in no list of what a server has to have. */
const AGELESS = `create database ageless;
  \\c ageless
  revoke execute on function age(xid) from public;
  create table counted (id int primary key); insert into counted select generate_series(1, 20);
  grant select on counted to lacking;`;

const LOSS =
  'Each page is read in one statement, totals and deep pages are read anew for each request, ' +
  'and `follow` and `replicas` have no effect.';

describe('an engine', () => {
  const first = usePostgres(sqlOf(FIRST));
  const second = useTwin(first, sqlOf(SECOND));
  beforeAll(async () => {
    await first().client(CHANGED);
    await first().client(DISTRIBUTED);
    await first().client(AGELESS);
    await first().client('revoke execute on function pg_current_snapshot() from public');
  });

  /** The URL of a role of the database behind another port. */
  function throughPort(port: number, role: string): string {
    const url = new URL(urlOf(first(), role));
    url.port = String(port);
    return url.href;
  }

  async function behindRouter(isRouted: Routed): Promise<Engine> {
    const urls = [first(), second()].map(({ url }) => url);
    const router = await startStatementRouter(urls, isRouted);
    onTestFinished(() => router.close());
    return open(router.url, { acceleration: { pageIndexMinOffset: 100 } });
  }

  it.each([
    ['takes the servers in turn', () => true],
    ['takes them in turn for what names a table', (text: string) => /"counted"/.test(text)],
  ])('mixes no two servers behind a router of statements that %s', async (_title, isRouted) => {
    const engine = await behindRouter(isRouted);
    const totals = new Set<number>();
    for (let round = 0; round < 4; round++)
      for (const page of [1, 30, 120, 199, 200, 1]) totals.add(await totalOf(engine, page));
    expect(totals).toContain(FIRST);
    expect(engine.catalogue.get('counted')).toMatchObject({ snapshots: false, versioned: false });
    expect(engine.statistics().filter(({ hits }) => hits > 0)).toEqual([]);
  });

  it('says what follows where several servers answer the statements of a transaction', async () => {
    const engine = await behindRouter(() => true);
    const [warning = ''] = await engine.warnings();
    expect(warning).toMatch(
      /^The server calls itself PostgreSQL \d+.*, but its snapshots are not relied on: /,
    );
    expect(warning).toContain(
      `statements of one transaction are answered by several processes of servers. ${LOSS}`,
    );
  });

  it('says what follows where a server has Citus, whose own snapshots are those of a PostgreSQL', async () => {
    const source = await openSource(urlOf(first(), 'postgres', 'distributed'));
    const [warning] = (await source.warnings?.()) ?? [];
    expect(warning).toMatch(
      /^The database has Citus: only of tables that it distributes are snapshots relied on, /,
    );
  });

  it('names the tables that a router of statements leads to several servers', async () => {
    const engine = await behindRouter((text) => text.includes('"counted"'));
    const [warning] = await engine.warnings();
    expect(warning).toContain('those that read "public"."counted" are answered elsewhere');
  });

  it('tells the table that a router leads to several servers from one of which schema and name make the same text', async () => {
    const engine = await behindRouter((text) => text.includes('"near"."by.here"'));
    expect(engine.catalogue.get('near.by.here')).toMatchObject({
      path: ['near', 'by.here'],
      snapshots: false,
    });
  });

  it.each([
    [
      'has tables in its catalogue that PostgreSQL has not',
      'postgres',
      'changed',
      'its catalogue has tables that no PostgreSQL up to 18 has (pg_shard_of_table)',
    ],
    [
      'lets the role not call what versions are made of',
      'lacking',
      undefined,
      'the role may not execute pg_current_snapshot',
    ],
    [
      'refuses something else that versions are made of',
      'lacking',
      'ageless',
      'it refuses what versions are made of (permission denied for function age)',
    ],
  ])('serves a server without versions that %s, and says so', async (_title, role, name, gap) => {
    const engine = await open(urlOf(first(), role, name));
    const { records } = await ask(engine, { model: 'counted', attributes: ['id'], size: 5 });
    expect(records).toHaveLength(5);
    expect(engine.catalogue.get('counted')).toMatchObject({ snapshots: false, versioned: false });
    expect((await engine.warnings())[0]).toContain(`${gap}. ${LOSS}`);
  });

  it('serves without versions what gives a transaction several snapshots, and says so', async () => {
    const others = await connect(first().url);
    const proxy = await startProxy(portOf(first()), {
      renamed: ['repeatable read', 'read committed '],
    });
    onTestFinished(() => proxy.close());
    const router = await startStatementRouter(
      [throughPort(proxy.port, 'postgres')],
      () => false,
      () => others.query('select pg_current_xact_id()'),
    );
    onTestFinished(() => router.close());
    const engine = await open(router.url);
    const gap = 'statements of one transaction see several snapshots';
    expect((await engine.warnings())[0]).toContain(`${gap}. ${LOSS}`);
    expect(engine.catalogue.get('counted')).toMatchObject({ snapshots: false, versioned: false });
    expect(await totalOf(engine, 150)).toBe(FIRST);
  });

  it('answers by no other server than the one that was looked at, unless that is as good', async () => {
    const proxy = await startProxy(portOf(second()));
    onTestFinished(() => proxy.close());
    const engine = await open(throughPort(proxy.port, 'lacking'));
    expect(await totalOf(engine, 1)).toBe(SECOND);
    proxy.leadTo(portOf(first()));
    await expect(totalOf(engine, 2)).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(
        /The server is another one than at the start: of PostgreSQL \d.*, the role may not execute pg_current_snapshot\./,
      ),
    });
    proxy.leadTo(portOf(second()));
    expect(await totalOf(engine, 2)).toBe(SECOND);
  });

  it('takes no row of one server for the answer where several have answered', async () => {
    const source = await openSource(first().url);
    const merged = `select '1', 1 union all select '2', 2`;
    expect(await outcome(read(source, merged))).toBe('model_unreadable');
  });

  it('relies on the snapshots of a PostgreSQL that is one', async () => {
    const engine = await open(urlOf(second(), 'lacking'));
    expect(engine.catalogue.get('counted')).toMatchObject({ snapshots: true, versioned: true });
    expect(await engine.warnings()).toEqual([]);
  });
});

function portOf(server: TestDatabase): number {
  return Number(new URL(server.url).port);
}
