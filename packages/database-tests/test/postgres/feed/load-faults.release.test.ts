import type { Engine, FeedStatus } from '@proj/engine';
import { until } from '@proj/test-servers';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { open } from '../../open.ts';
import { usePostgres } from '../server.ts';
import { MovingWindow } from './moving-window.ts';
import { followedHits, WindowCallers } from './window-callers.ts';

const ROWS = 20_000;

const SQL = `${MovingWindow.tableOf(ROWS)};
  create publication dynamic_query for table moving`;

const SENDERS = `
  select s.active_pid as pid, s.wal_status
  from pg_replication_slots s join pg_stat_activity a on a.pid = s.active_pid
  where slot_name like 'dynamic_query_%'
  order by a.backend_start`;

interface Sender {
  readonly pid: number;
  readonly wal_status: string;
}

function feedOf({ feed }: Engine): FeedStatus {
  if (feed === undefined) throw new Error('The engine follows nothing.');
  return feed.status;
}

describe('two engines that follow one server, asked under load', () => {
  const postgres = usePostgres(SQL);
  let engines: readonly [Engine, Engine];
  let sql: Client;
  let admin: Client;
  let window: MovingWindow;
  beforeAll(async () => {
    const { url } = postgres();
    [sql, admin] = [new Client(url), new Client(url)];
    await Promise.all([sql.connect(), admin.connect()]);
    window = new MovingWindow(sql, ROWS);
    const settings = { follow: true, queryTimeoutMs: 60_000 } as const;
    engines = [await open(url, settings), await open(url, settings)];
    await window.ask(engines[0], 1, 10);
    await until(async () => (await senders()).length === 1);
    await window.ask(engines[1], 1, 10);
    await until(async () => (await senders()).length === 2);
  });
  afterAll(() => Promise.all([sql.end(), admin.end()]));

  let callers: WindowCallers;
  let stopMoving: () => Promise<void>;
  beforeEach(async () => {
    const ended = new AbortController();
    callers = new WindowCallers(window, engines);
    const moving = window.keepMoving(ended.signal, () => callers.have(1));
    stopMoving = async () => {
      ended.abort();
      await moving;
    };
    onTestFinished(async () => {
      await stopMoving();
      await callers.stop();
    });
    await untilFollowed();
  });

  async function senders(): Promise<Sender[]> {
    return (await admin.query<Sender>(SENDERS)).rows;
  }

  /** Waits until replies of both engines come from what follows the changes. */
  async function untilFollowed(): Promise<void> {
    const before = engines.map(followedHits);
    await until(() =>
      engines.every((engine, index) => followedHits(engine) > (before[index] ?? 0) + 20),
    );
  }

  /** Stops the process that sends the changes to the first engine, and returns how to go on. */
  async function stopSender(): Promise<() => void> {
    const [sender] = await senders();
    const pid = sender?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    let isStopped = true;
    const goOn = (): void => {
      if (isStopped) process.kill(pid, 'SIGCONT');
      isStopped = false;
    };
    onTestFinished(goOn);
    return goOn;
  }

  it('give no wrong reply, and both follow', async () => {
    await callers.have(200);
    expect(engines.map((engine) => feedOf(engine).state)).toEqual(['following', 'following']);
    // The list of 200 buckets that reads seek in, and little else.
    await until(() => engines.every((engine) => feedOf(engine).memoryBytes > 39_000));
    expect(await callers.stop()).toEqual({ wrong: [], failed: [] });
  });

  it('go on while the feed of one is stopped, without waiting for it, and follow again', async () => {
    const goOn = await stopSender();
    const late = feedOf(engines[0]).lateWaits;
    await until(() => feedOf(engines[0]).lateWaits > late);
    // Those who had begun to wait by then.
    await callers.have(50);
    const { waits } = feedOf(engines[0]);
    const others = followedHits(engines[1]);
    await callers.have(300);
    await until(() => feedOf(engines[0]).lagBytes > 0);
    expect(feedOf(engines[0])).toMatchObject({ waits, state: 'following' });
    expect(followedHits(engines[1])).toBeGreaterThan(others);
    goOn();
    await untilFollowed();
    expect(feedOf(engines[0]).drops).toEqual(new Map());
    expect(await callers.stop()).toEqual({ wrong: [], failed: [] });
  });

  it('drop a feed whose log the server keeps no longer, report it once, and follow again', async () => {
    const reported: string[] = [];
    engines[0].feed?.onChange(({ state, reason = '' }) => reported.push(`${state} ${reason}`));
    const goOn = await stopSender();
    await admin.query(`alter system set max_slot_wal_keep_size = '1MB'`);
    await admin.query('select pg_reload_conf()');
    for (let turn = 0; turn < 3; turn++) await admin.query('select pg_switch_wal()');
    await until(async () => (await senders())[0]?.wal_status === 'unreserved');
    // It ends the sender, and so waits for it.
    const checkpoint = postgres().client('checkpoint');
    await callers.have(200);
    goOn();
    await checkpoint;
    await until(() => reported.length >= 2);
    await admin.query('alter system reset max_slot_wal_keep_size');
    await admin.query('select pg_reload_conf()');
    await untilFollowed();
    expect(reported).toEqual(['stopped connection', 'following ']);
    expect(feedOf(engines[0]).drops).toEqual(new Map([['connection', 1]]));
    expect(await callers.stop()).toEqual({ wrong: [], failed: [] });
  });

  it('are exact around transactions of a million rows, and follow again', async () => {
    await stopMoving();
    const before = engines.map((engine) => feedOf(engine).transactions);
    const million = 1_000_000;
    await window.grow(million);
    await callers.have(100);
    await window.shrink(million);
    await callers.have(100);
    await until(() =>
      engines.every((engine, index) => feedOf(engine).transactions >= (before[index] ?? 0) + 2),
    );
    await untilFollowed();
    expect(engines.map((engine) => feedOf(engine).state)).toEqual(['following', 'following']);
    expect(await callers.stop()).toEqual({ wrong: [], failed: [] });
  });
});
