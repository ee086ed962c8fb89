import { Client } from 'pg';
import { describe, expect, it } from 'vitest';

import { withDeadline } from '../../../engine/src/deadline.ts';
import type { CitusCluster } from '../../../postgres/src/cluster/open-cluster.ts';
import { FACTS, useOwnPlainCluster } from './plain-cluster.ts';
import { type PostgresServer } from './server.ts';

/** No look waits for as long as this, whatever the servers do. */
const IN_TIME = { timeoutMs: 25_000 };

describe('a state of several servers, one of which fails', () => {
  const servers = useOwnPlainCluster();
  const { own, other } = servers;

  it.each([
    ['the server that is read', own],
    ['another server', other],
  ])('is none in time while %s is frozen, and is one again afterwards', async (_which, server) => {
    const cluster = await servers.open({ cut: 'validated' });
    expect(await look(cluster)).toBe(2);
    const thaw = await freeze(server());
    try {
      expect(await look(cluster)).toMatchObject({ code: 'no_common_state' });
    } finally {
      thaw();
    }
    await untilFound(cluster);
  });

  it.each([
    ['the server that is read', own],
    ['another server', other],
  ])('is none while %s is stopped at once, and is one again afterwards', async (_which, server) => {
    const cluster = await servers.open({ cut: 'validated' });
    await server().halt('SIGQUIT');
    expect(await look(cluster)).toMatchObject({ code: 'database_unavailable' });
    await server().restart();
    await untilFound(cluster);
  });
});

/** Looks for a state that was not found before. */
async function look(cluster: CitusCluster): Promise<unknown> {
  return withDeadline(IN_TIME, async (call) => {
    const cut = await cluster.lookForCut(call);
    // The next one looks anew.
    cut.leave(undefined);
    return cut.states.length;
  }).catch((error: unknown) => Object(error) as unknown);
}

async function untilFound(cluster: CitusCluster): Promise<void> {
  await expect.poll(() => cluster.learn(FACTS)).toBeUndefined();
  await expect.poll(() => look(cluster)).toBe(2);
}

/** @returns has it go on */
async function freeze({ url, pid }: PostgresServer): Promise<() => void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
  const pids = [pid, ...rows.map((row) => row.pid)];
  for (const each of pids) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of pids) process.kill(each, 'SIGCONT');
    void client.end().catch(() => undefined);
  };
}
