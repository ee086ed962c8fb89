import {
  type Haproxy,
  hasHaproxy,
  type MariadbServer,
  startHaproxy,
  startMariadb,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Engine, EVERYTHING } from '../../src/index.ts';
import { open } from '../open.ts';
import { describeMariadb } from './mariadb.ts';

/** How many records each server shows: each of them says so in all of its records. */
const FIRST = 2000;
const SECOND = 2500;

const sqlOf = (rows: number): string => `
  create table moved (id int primary key);
  create table counted (id int primary key, amount int not null);
  insert into counted select seq, ${rows} from seq_1_to_${rows}`;

/** Nothing moves the number of the next transaction but the test. */
const SETTINGS = ['innodb-stats-persistent=off', 'general-log=off'];

/** Pages lie near the beginning, deep, near the end, and past the end of one server or of both. */
const PAGES = 300;

const available = hasHaproxy() || process.env['CI'] !== undefined;

(available ? describeMariadb : describe.skip)('an engine behind HAProxy', () => {
  let servers: readonly MariadbServer[] = [];
  let balancer: Haproxy | undefined;
  let engine: Engine;
  beforeAll(async () => {
    const one = await startMariadb({ settings: SETTINGS });
    const two = await startMariadb({ settings: SETTINGS });
    servers = [one, two];
    await Promise.all([one.client(sqlOf(FIRST)), two.client(sqlOf(SECOND))]);
    balancer = await startHaproxy(servers.map(({ url }) => Number(new URL(url).port)));
    engine = await open(`mysql://root@127.0.0.1:${balancer.port}/test`, {
      acceleration: { pageIndexMinOffset: 100 },
    });
  }, 120_000);
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }, 60_000);

  /** Which server a reply is of; every one has to be of one of them alone. */
  async function serverOf(page: number): Promise<number> {
    const body = {
      query_model: 'counted',
      query_attributes: ['id', 'amount'],
      page: { page, size: 10 },
    };
    const { result, page: metadata } = await engine.query(body, EVERYTHING);
    const records = JSON.parse(result) as { id: number; amount: number }[];
    const total = Number(metadata.total);
    const expected = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1)
      .filter((id) => id <= total)
      .map((id) => ({ id, amount: total }));
    expect(records).toEqual(expected);
    return total;
  }

  it('mixes no two servers, whose transactions have the same numbers', async () => {
    const [one, two] = servers as [MariadbServer, MariadbServer];
    await moveTo(one, two);
    const totals = new Set<number>();
    for (let round = 0; round < 40; round++) {
      const pages = Array.from({ length: 12 }, () => Math.ceil(Math.random() * PAGES));
      const replies = [1, ...pages, ...pages].map((page) => serverOf(page));
      for (const total of await Promise.all(replies)) totals.add(total);
    }
    expect(totals).toEqual(new Set([FIRST, SECOND]));
    expect(await nextTransaction(one)).toBe(await nextTransaction(two));
    const helpful = engine.statistics().filter(({ hits }) => hits > 0);
    expect(helpful.map(({ mechanism }) => mechanism)).toEqual(
      expect.arrayContaining(['verified_replies', 'total_memo']),
    );
  });
});

async function nextTransaction(server: MariadbServer): Promise<number> {
  const status = await server.client('show engine innodb status');
  return Number(/Trx id counter (\d+)/.exec(status)?.[1]);
}

/** Writes to the server that is behind, until the next transaction of both has the same number. */
async function moveTo(one: MariadbServer, two: MariadbServer): Promise<void> {
  for (;;) {
    const [first, second] = await Promise.all([nextTransaction(one), nextTransaction(two)]);
    if (first === second) return;
    const behind = first < second ? one : two;
    const distance = Math.abs(first - second);
    // A transaction takes a number, and its commit another one.
    const step = 'begin; insert into moved values (1); rollback;';
    await behind.client(step.repeat(Math.min(distance, 200)));
  }
}
