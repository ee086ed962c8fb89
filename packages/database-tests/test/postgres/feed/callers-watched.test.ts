import type { Engine, Grant } from '@proj/engine';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { open } from '../../open.ts';
import { urlOf } from '../server.ts';
import { callerOf, SESSIONS, useCallers } from './caller-lists.ts';
import { until } from './followed.ts';
import { settledWatches } from './settled-watches.ts';

/** The totals of the states of a list. */
async function watch(engine: Engine, grant: Grant): Promise<string[]> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const body = { query_model: 'orders', query_attributes: ['id'], watch_every_ms: 100 };
  const call = { signal: leaving.signal, caller: 'a', seesVersion: false };
  const watched = await engine.watch(body, grant, call);
  const totals: string[] = [];
  watched.follow(({ list }) => totals.push(String(list.total)) > 0).catch(() => undefined);
  return totals;
}

describe('watched lists of callers of the database', () => {
  const { followed } = useCallers();

  async function start(): Promise<Engine> {
    const { server } = followed();
    const engine = await open(urlOf(server, 'login'), {
      sessions: SESSIONS,
      follow: { url: server.url },
      watchCheckMs: 100,
      acceleration: { leastCountMs: 0 },
    });
    onTestFinished(() => engine.close());
    return engine;
  }

  it('are read only where rows that their caller is shown have changed', async () => {
    const { sql } = followed();
    const engine = await start();
    const members = ['m0', 'another', 'a third'];
    const lists = await Promise.all(members.map((member) => watch(engine, callerOf(0, member))));
    const other = await watch(engine, callerOf(1));
    const settled = settledWatches(4);
    onTestFinished(() => void vi.restoreAllMocks());
    const readsAfter = async (statement: string): Promise<number> => {
      const before = engine.watched().reads;
      await sql.query(statement);
      await settled();
      return engine.watched().reads - before;
    };
    const CHANGE = 'update orders set amount = amount + 1 where id < 400 and tenant';
    await until(async () => expect(await readsAfter(`${CHANGE} = 't2'`)).toBe(0));
    expect(await readsAfter(`${CHANGE} = 't1'`)).toBe(1);
    expect(await readsAfter(`${CHANGE} = 't0'`)).toBe(3);
    expect([...lists, other]).toEqual([['1000'], ['1000'], ['1000'], ['1000']]);
    await sql.query(`update orders set tenant = 't1' where id = 40`);
    await expect
      .poll(() => [...lists, other].map((totals) => totals.at(-1)))
      .toEqual(['999', '999', '999', '1001']);
  });

  it('are read again by other policies', async () => {
    const { sql } = followed();
    const engine = await start();
    const totals = await watch(engine, callerOf(3));
    await sql.query(`alter policy own on orders using (tenant = 't3' and id < 1000)`);
    const { rows } = await sql.query<{ n: string }>(
      `select count(*) as n from orders where tenant = 't3' and id < 1000`,
    );
    await expect.poll(() => totals.at(-1)).toBe(rows[0]?.n);
  });
});
