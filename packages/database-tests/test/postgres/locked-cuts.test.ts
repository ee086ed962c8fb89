import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { withDeadline } from '../../../engine/src/deadline.ts';
import { callOf } from '../../../engine/test/call.ts';
import {
  confirm,
  FACTS,
  moveAmounts,
  SUM,
  sumIn,
  useClients,
  usePlainCluster,
} from './plain-cluster.ts';

/** So often two servers are read together. */
const READS = 10;

const LOCKS = `select pid from pg_locks where database = (
    select oid from pg_database where datname = current_database()
  ) and relation = 'pg_catalog.pg_dist_transaction'::regclass and mode = 'ExclusiveLock'`;

const WAITS_FOR_TURN = `select from pg_locks where locktype = 'advisory' and not granted`;

describe('a state of several servers whose transactions are held', () => {
  const servers = usePlainCluster();
  const clients = useClients(servers);

  /** How many servers hold transactions. */
  async function held(): Promise<number> {
    const found = await Promise.all(clients().map(async (client) => client.query(LOCKS)));
    return found.filter(({ rows }) => rows.length > 0).length;
  }

  it('is found among writers who leave none otherwise, and holds each amount once', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const moving = moveAmounts(servers);
    const sums: (number | undefined)[] = [];
    for (let read = 0; read < READS; read++) sums.push(await sumIn(clients(), cluster));
    await moving.stop();
    expect(new Set(sums.filter((sum) => sum !== undefined))).toEqual(new Set([SUM]));
    expect(await held()).toBe(0);
  });

  it('keeps others from recording transactions of several servers until it is confirmed', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const cut = await cluster.lookForCut(callOf());
    expect(await held()).toBe(2);
    await confirm(clients(), cut);
    expect(await held()).toBe(0);
  });

  it('is not one of servers that both were written to by other transactions', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const cut = await cluster.lookForCut(callOf());
    for (const client of clients())
      await client.query('update accounts set amount = amount where id = 1');
    await expect(confirm(clients(), cut)).rejects.toMatchObject({ name: 'NoCommonStateError' });
    await expect.poll(held).toBe(0);
  });

  it('is shared by reads that wait at the same time', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const cuts = await Promise.all([cluster.lookForCut(callOf()), cluster.lookForCut(callOf())]);
    await Promise.all(cuts.map((cut) => cut.confirm(cut.states[0])));
    expect(await held()).toBe(0);
  });

  it('is looked for by one service after the other', async () => {
    const [one, another] = await Promise.all([
      servers.open({ cut: 'locked' }),
      servers.open({ cut: 'locked' }),
    ]);
    const first = await one.lookForCut(callOf());
    let isBegun = false;
    const second = another.lookForCut(callOf()).then((cut) => {
      isBegun = true;
      return cut;
    });
    await expect.poll(async () => (await clients()[0]?.query(WAITS_FOR_TURN))?.rowCount).toBe(1);
    expect(isBegun).toBe(false);
    await confirm(clients(), first);
    await confirm(clients(), await second);
    expect(await held()).toBe(0);
  });

  it('is waited for no longer than its reads need, when one of them ends before its snapshot', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const cut = await cluster.lookForCut(callOf());
    cut.leave(undefined);
    await expect.poll(held).toBe(0);
  });

  it('is given up when a read does not take its snapshots, and delivers nothing to it then', async () => {
    const bounds = { starvingMs: 0, snapshotsMs: 100, partsOfTime: 1 };
    const cluster = await servers.open({ cut: 'locked', bounds });
    const cut = await cluster.lookForCut(callOf());
    await expect.poll(held).toBe(0);
    await expect(confirm(clients(), cut)).rejects.toMatchObject({ name: 'NoCommonStateError' });
  });

  it('is none where a session that held transactions was ended, and nothing is held then', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    for (const client of clients()) {
      const cut = await cluster.lookForCut(callOf());
      await client.query(`select pg_terminate_backend(pid) from (${LOCKS}) as locks`);
      await expect(confirm(clients(), cut)).rejects.toMatchObject({ name: 'NoCommonStateError' });
      await expect.poll(held).toBe(0);
    }
    await confirm(clients(), await cluster.lookForCut(callOf()));
  });

  it('is not waited for by a caller who has gone, nor is anything held for it', async () => {
    const cluster = await servers.open({ cut: 'locked' });
    const first = await cluster.lookForCut(callOf());
    const caller = new AbortController();
    const second = withDeadline({ signal: caller.signal, timeoutMs: 10_000 }, (call) =>
      cluster.lookForCut(call),
    );
    caller.abort();
    await expect(second).rejects.toMatchObject({ code: 'cancelled' });
    await confirm(clients(), first);
    await expect.poll(held).toBe(0);
  });

  it.each([
    ['was killed', 'SIGKILL', 20_000],
    ['is frozen', 'SIGSTOP', 500],
  ] as const)('leaves nothing held when its process %s', async (_what, signal, snapshotsMs) => {
    const holder = hold(snapshotsMs);
    try {
      await holder.isHolding;
      holder.child.kill(signal);
      await expect.poll(held).toBe(0);
    } finally {
      holder.child.kill('SIGKILL');
      await holder.exited;
    }
  });

  /** Another service, which holds transactions. */
  function hold(snapshotsMs: number): {
    readonly child: ChildProcess;
    readonly isHolding: Promise<unknown>;
    readonly exited: Promise<unknown>;
  } {
    const address = new URL(servers.other().url).host;
    const program = fileURLToPath(new URL('programs/hold-transactions.ts', import.meta.url));
    const facts = JSON.stringify(FACTS);
    const url = servers.own().url;
    const child = spawn(process.execPath, [program, url, address, String(snapshotsMs), facts], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return { child, isHolding: once(child.stdout, 'data'), exited: once(child, 'exit') };
  }
});
