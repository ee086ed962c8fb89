import { type Engine, EVERYTHING } from '@proj/engine';
import {
  beforeRelease,
  type Haproxy,
  hasHaproxy,
  type PostgresServer,
  startHaproxy,
  startPostgres,
  until,
} from '@proj/test-servers';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { forgetServers } from '../forget-servers.ts';
import { open } from '../open.ts';

/** How many records each standby shows: each of them says so in all of its records. */
const FIRST = 2000;
const SECOND = 2500;

const SQL = `
  create table counted (id int primary key, rows int not null);
  insert into counted select id, ${FIRST} from generate_series(1, ${FIRST}) as id`;

/** Rows that the standby never sees whose replay is paused. */
const MORE = `
  begin;
  insert into counted select id, 0 from generate_series(${FIRST + 1}, ${SECOND}) as id;
  update counted set rows = ${SECOND};
  commit`;

/** What the other had before it was promoted. */
const LESS = `
  begin;
  delete from counted where id > ${FIRST};
  update counted set rows = ${FIRST};
  commit`;

/** So often pages are asked for from both. */
const ROUNDS = beforeRelease ? 20 : 4;

/** Pages lie near the beginning, deep, near the end, and past the end of one server or of both. */
const PAGES = 300;

const available = hasHaproxy() || process.env['CI'] !== undefined;

(available ? describe : describe.skip)('an engine behind HAProxy', () => {
  let servers: readonly PostgresServer[] = [];
  let balancer: Haproxy;
  let engine: Engine;
  beforeAll(async () => {
    const primary = await startPostgres({
      settings: { wal_keep_size: '256MB', autovacuum: 'off' },
    });
    servers = [primary];
    await primary.client(SQL);
    const standbys = (await primary.startStandbys(2)) as [PostgresServer, PostgresServer];
    servers = [primary, ...standbys];
    await until(async () => (await standbys[0].client('select pg_wal_replay_pause()')) === '');
    const paused = `select pg_get_wal_replay_pause_state() = 'paused'`;
    await until(async () => (await standbys[0].client(paused)) === 't');
    await primary.client(MORE);
    const count = 'select count(*) from counted';
    await until(async () => (await standbys[1].client(count)) === String(SECOND));
    balancer = await startHaproxy(standbys.map(({ url }) => Number(new URL(url).port)));
    engine = await openBalanced();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const openBalanced = (): Promise<Engine> =>
    open(`postgres://postgres@127.0.0.1:${balancer.port}/postgres`, {
      acceleration: { pageIndexMinOffset: 100 },
    });

  /** The total of the server that a page is of; every page has to be of one of them alone. */
  async function totalOf(page: number): Promise<number> {
    const body = {
      query_model: 'counted',
      query_attributes: ['id', 'rows'],
      page: { page, size: 10 },
    };
    const { result, page: metadata, version } = await engine.query(body, EVERYTHING);
    const records = JSON.parse(result) as { id: number; rows: number }[];
    const total = Number(metadata.total);
    const expected = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1)
      .filter((id) => id <= total)
      .map((id) => ({ id, rows: total }));
    expect(records).toEqual(expected);
    expect(version).toMatch(/^[\w-]{22}$/);
    return total;
  }

  /** The totals of pages, each of which is of one server alone. */
  async function totalsSeen(): Promise<Set<number>> {
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const pages = Array.from({ length: 12 }, () => Math.ceil(Math.random() * PAGES));
      const replies = [1, ...pages, ...pages].map((page) => totalOf(page));
      for (const total of await Promise.all(replies)) seen.add(total);
    }
    return seen;
  }

  /** Asks until an engine has had pages from both servers. */
  async function askBoth(): Promise<void> {
    let seen = await totalsSeen();
    while (seen.size < 2) {
      // It read on connections to one server alone, as is a matter of chance.
      engine = await openBalanced();
      seen = await totalsSeen();
    }
    expect(seen).toEqual(new Set([FIRST, SECOND]));
  }

  it('mixes no two standbys, one of which is behind the other', async () => {
    // A total helps where the server answers that it is of, which is a matter of chance.
    await until(async () => {
      await askBoth();
      const hits = new Map(engine.statistics().map((one) => [one.mechanism, one.hits]));
      return ['reply_cache', 'total_cache'].every((mechanism) => (hits.get(mechanism) ?? 0) > 0);
    });
    expect.hasAssertions();
  });

  it('mixes no two servers that were promoted, whose transactions have the same numbers', async () => {
    const [, one, two] = servers as [PostgresServer, PostgresServer, PostgresServer];
    for (const server of [one, two]) await server.client('select pg_promote()');
    await one.client(LESS);
    await two.client('select pg_current_xact_id()');
    const snapshot = 'select pg_current_snapshot()';
    expect(await one.client(snapshot)).toBe(await two.client(snapshot));
    await askBoth();
  });

  it('is found out to mix them where a version does not say which server answered', async () => {
    forgetServers();
    // What an engine keeps has versions from before.
    engine = await openBalanced();
    await expect(askBoth()).rejects.toThrow(/^expected \[/);
  });
});
