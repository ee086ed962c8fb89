import type { Engine } from '@proj/engine';
import {
  type Haproxy,
  hasHaproxy,
  type MariadbServer,
  startGalera,
  startHaproxy,
} from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { forgetServers } from '../forget-servers.ts';
import { open } from '../open.ts';
import { COUNTED_TABLE, fillCounted, totalOf } from './counted.ts';
import { describeGalera } from './galera.ts';
import { advance, MOVED_TABLE, moveTo } from './transaction-numbers.ts';

const FIRST = 2000;
const SECOND = 2500;

/** Nothing moves the number of the next transaction but the test. */
const SETTINGS = ['innodb-stats-persistent=off', 'general-log=off'];

/** Pages lie near the beginning, deep, near the end, and past the end of one node or of both. */
const PAGES = 300;

/** Replaces all rows in one transaction. */
const refill = (rows: number): string => `begin; delete from counted; ${fillCounted(rows)}; commit`;

/** What is written to one node, and to it alone. */
const alone = (sql: string): string => `set wsrep_on = off; ${sql}`;

const available = hasHaproxy() || process.env['CI'] !== undefined;

(available ? describeGalera : describe.skip)('an engine over two Galera nodes', () => {
  let one: MariadbServer;
  let two: MariadbServer;
  let balancer: Haproxy;
  beforeAll(async () => {
    [one, two] = await startGalera({ settings: SETTINGS });
    await one.client(`${MOVED_TABLE}; ${COUNTED_TABLE}`);
    await two.client('set wsrep_sync_wait = 1; select * from counted');
    balancer = await startHaproxy([one, two].map(({ url }) => Number(new URL(url).port)));
  }, 400_000);
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all([one.stop(), two.stop()]);
  }, 60_000);

  const openBalanced = (): Promise<Engine> =>
    open(`mysql://root@127.0.0.1:${balancer.port}/test`, {
      acceleration: { pageIndexMinOffset: 100 },
    });

  /** The totals of replies while both nodes give the same numbers to their transactions. */
  async function totalsOfBoth(engine: Engine): Promise<Set<number>> {
    await one.client(alone(refill(FIRST)));
    await two.client(alone(refill(SECOND)));
    const totals = new Set<number>();
    for (let round = 0; round < 30; round++) {
      await moveTo(one, two);
      for (const total of await totalsOf(engine)) totals.add(total);
      const writing = one.client('insert into moved select coalesce(max(id), 0) + 1 from moved');
      for (const total of await totalsOf(engine)) totals.add(total);
      await writing;
    }
    return totals;
  }

  it('mixes no two nodes that differ, whose transactions have the same numbers', async () => {
    const engine = await openBalanced();
    expect(await totalsOfBoth(engine)).toEqual(new Set([FIRST, SECOND]));
    expectAccelerated(engine);
  });

  it('is found out to mix them where a version does not say which node answered', async () => {
    forgetServers();
    await expect(totalsOfBoth(await openBalanced())).rejects.toThrow(/^expected \[/);
  });

  it('mixes no two states of the data while one node falls behind and catches up', async () => {
    await Promise.all([one, two].map((node) => node.client(alone('delete from counted'))));
    const engine = await openBalanced();
    let rows = FIRST;
    let together = 0;
    for (let round = 0; round < 10; round++) {
      const held = rows;
      await one.client(refill(held));
      await two.client('set wsrep_sync_wait = 1; select 1 from counted limit 1');
      await advance(two, 50);
      const release = await holdBack(two);
      await one.client(refill((rows += 10)));
      await moveTo(one, two);
      const totals = new Set([...(await totalsOf(engine)), ...(await totalsOf(engine))]);
      expect([held, rows]).toEqual(expect.arrayContaining([...totals]));
      together += totals.size - 1;
      await Promise.all([release(), totalsOf(engine), totalsOf(engine)]);
    }
    expect(together).toBeGreaterThan(0);
    expectAccelerated(engine);
  });
});

/** The totals of many pages that are asked for at once, each of which twice. */
async function totalsOf(engine: Engine): Promise<number[]> {
  const pages = Array.from({ length: 12 }, () => Math.ceil(Math.random() * PAGES));
  return Promise.all([1, ...pages, ...pages].map((page) => totalOf(engine, page)));
}

/** Lets a node apply nothing, without the others waiting for it, until it is released. */
async function holdBack(node: MariadbServer): Promise<() => Promise<void>> {
  const holder = await createConnection(node.url);
  await holder.query('set global wsrep_desync = on');
  await holder.query('flush tables with read lock');
  return async () => {
    await holder.query('unlock tables');
    await holder.query('set global wsrep_desync = off');
    await holder.end();
  };
}

function expectAccelerated(engine: Engine): void {
  const helpful = engine.statistics().filter(({ hits }) => hits > 0);
  expect(helpful.map(({ mechanism }) => mechanism)).toEqual(
    expect.arrayContaining(['reply_cache', 'total_cache']),
  );
}
