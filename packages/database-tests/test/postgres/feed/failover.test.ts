import type { Engine } from '@proj/engine';
import { type PostgresServer, startPostgres, until } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { open } from '../../open.ts';
import { type Proxy, startProxy } from '../../proxy.ts';
import { connect } from '../server.ts';
import { MovingWindow } from './moving-window.ts';
import { followedHits, WindowCallers } from './window-callers.ts';

const ROWS = 20_000;

const SQL = `${MovingWindow.tableOf(ROWS)};
  create publication dynamic_query for table moving`;

const NEXT_XID = 'select pg_snapshot_xmax(pg_current_snapshot())';

const portOf = ({ url }: PostgresServer): number => Number(new URL(url).port);

describe('an engine that follows a server', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let proxy: Proxy;
  let engine: Engine;
  let window: MovingWindow;
  let callers: WindowCallers;
  beforeAll(async () => {
    primary = await startPostgres({ settings: { wal_level: 'logical', wal_keep_size: '256MB' } });
    await primary.client(SQL);
    standby = await primary.startStandby();
    proxy = await startProxy(portOf(primary));
    engine = await open(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`, { follow: true });
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([primary.stop(), standby.stop()]);
  });

  /** Moves the window until the callers have had so many more replies, and something holds. */
  async function moveFor(
    replies: number,
    rows: number,
    holds: () => boolean | Promise<boolean> = () => true,
  ): Promise<void> {
    const ended = new AbortController();
    const moving = window.keepMoving(ended.signal, () => callers.have(1), rows);
    await until(holds);
    await callers.have(replies);
    await untilFollowed();
    ended.abort();
    await moving;
  }

  async function untilFollowed(): Promise<void> {
    const before = followedHits(engine);
    await until(() => followedHits(engine) > before + 20);
  }

  /** Lets the standby have all that was written, and nothing of what will be. */
  async function cutStandbyOff(): Promise<void> {
    const { first, last } = window.state;
    const found = 'select min(id), max(id) from moving';
    await until(async () => (await standby.client(found)) === `${first}|${last}`);
    await standby.client(`alter system set primary_conninfo = ''`);
    await standby.client('select pg_reload_conf()');
    const receivers = 'select count(*) from pg_stat_wal_receiver';
    await until(async () => (await standby.client(receivers)) === '0');
  }

  it('has nothing of it left after a standby took its place that lacks the last writes', async () => {
    window = new MovingWindow(await connect(primary.url), ROWS);
    callers = new WindowCallers(window, [engine]);
    onTestFinished(() => void callers.stop());
    await moveFor(100, 1);
    await cutStandbyOff();
    const { state } = window;
    await moveFor(200, 1);
    const lost = Number(await primary.client(NEXT_XID));
    process.kill(primary.pid, 'SIGQUIT');
    await standby.client('select pg_promote()');
    const sql = await connect(standby.url);
    await window.goOn(state, sql, async () => proxy.leadTo(portOf(standby)));
    expect(Number(await standby.client(NEXT_XID))).toBeLessThan(lost);
    await moveFor(300, 2, async () => Number(await standby.client(NEXT_XID)) > lost);
    expect((await callers.stop()).wrong).toEqual([]);
    expect(engine.feed?.status).toMatchObject({ state: 'following' });
  });
});
