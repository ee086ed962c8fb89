import type { Engine } from '@proj/engine';
import {
  type Haproxy,
  hasHaproxy,
  type MariadbServer,
  startHaproxy,
  startMariadb,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { describeMariadb } from './mariadb.ts';
import { MOVED_TABLE, moveTo, nextTransaction } from './transaction-numbers.ts';

/** How many records each server shows: each of them says so in all of its records. */
const FIRST = 2000;
const SECOND = 2500;

const sqlOf = (rows: number): string => `${MOVED_TABLE}; ${COUNTED_TABLE}; ${fillCounted(rows)}`;

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
  });
  afterAll(async () => {
    await balancer?.stop();
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('mixes no two servers, whose transactions have the same numbers', async () => {
    const [one, two] = servers as [MariadbServer, MariadbServer];
    await moveTo(one, two);
    const totals = new Set<number>();
    const ask = async (): Promise<void> => {
      const pages = Array.from({ length: 12 }, () => Math.ceil(Math.random() * PAGES));
      const replies = [1, ...pages, ...pages].map((page) => totalOf(engine, page));
      for (const total of await Promise.all(replies)) totals.add(total);
    };
    for (let round = 0; round < 15; round++) await ask();
    // A total helps where the server answers that it is of, which is a matter of chance.
    await until(async () => {
      await ask();
      const counts = new Map(engine.statistics().map(({ mechanism, hits }) => [mechanism, hits]));
      return ['reply_cache', 'total_cache'].every((mechanism) => (counts.get(mechanism) ?? 0) > 0);
    });
    expect(totals).toEqual(new Set([FIRST, SECOND]));
    expect(await nextTransaction(one)).toBe(await nextTransaction(two));
  });
});
