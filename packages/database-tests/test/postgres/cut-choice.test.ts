import { afterEach, describe, expect, it, vi } from 'vitest';

import type { CitusCluster } from '../../../postgres/src/cluster/open-cluster.ts';
import { callOf } from '../../../engine/test/call.ts';
import { confirm, FACTS, type Service, useClients, usePlainCluster } from './plain-cluster.ts';

/** For so long transactions are held once they are. */
const LOCKED_MS = 5000;

/** So many attempts without a state have it locked. */
const MISSES = 5;

const TABLES = { ...FACTS, tables: '1' };

describe('how a state of several servers is looked for', () => {
  const servers = usePlainCluster();
  const clients = useClients(servers);
  afterEach(() => vi.restoreAllMocks());

  /** Both servers are written to before snapshots of a state are taken. */
  async function miss(cluster: CitusCluster): Promise<void> {
    const cut = await cluster.lookForCut(callOf());
    for (const client of clients())
      await client.query('update accounts set amount = amount where id = 1');
    await expect(confirm(clients(), cut)).rejects.toMatchObject({ name: 'NoCommonStateError' });
  }

  async function find(cluster: CitusCluster): Promise<void> {
    await confirm(clients(), await cluster.lookForCut(callOf()));
  }

  async function starved(
    cut: 'auto' | 'validated',
    { role, bounds }: Pick<Service, 'role' | 'bounds'> = {},
  ): Promise<CitusCluster> {
    const [own] = clients();
    await own?.query(`delete from pg_dist_partition`);
    await own?.query(`insert into pg_dist_partition values (1, 'h', 's', 1)`);
    const cluster = await servers.open({
      cut,
      learnsLater: true,
      ...(role !== undefined && { role }),
      ...(bounds !== undefined && { bounds }),
    });
    expect(await cluster.learn(TABLES)).toBeUndefined();
    for (let time = 0; time < MISSES; time++) await miss(cluster);
    return cluster;
  }

  it('holds transactions once writers leave none, and no longer after a while', async () => {
    const cluster = await starved('auto');
    await find(cluster);
    expect(cluster.counts).toEqual({
      validated: { found: 0, missed: MISSES },
      locked: { found: 1, missed: 0 },
    });
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + LOCKED_MS);
    await find(cluster);
    expect(cluster.counts?.validated.found).toBe(1);
    expect(await cluster.warnings()).toEqual([]);
  });

  it('looks for states without locks while writers are left alone between two of them', async () => {
    const bounds = { starvingMs: 0, snapshotsMs: 20_000, partsOfTime: 100_000 };
    const cluster = await starved('auto', { bounds });
    await find(cluster);
    await find(cluster);
    expect(cluster.counts).toEqual({
      validated: { found: 1, missed: MISSES },
      locked: { found: 1, missed: 0 },
    });
  });

  it('holds none while it finds nothing there either, until writers leave none again', async () => {
    const cluster = await starved('auto');
    await miss(cluster);
    await find(cluster);
    expect(cluster.counts).toMatchObject({
      validated: { found: 1 },
      locked: { found: 0, missed: 1 },
    });
  });

  it('holds none before reads have starved for long enough', async () => {
    const bounds = { starvingMs: 3_600_000, snapshotsMs: 20_000, partsOfTime: 1 };
    const cluster = await servers.open({ cut: 'auto', learnsLater: true, bounds });
    await cluster.learn(TABLES);
    for (let time = 0; time <= MISSES; time++) await miss(cluster);
    expect(cluster.counts?.locked).toEqual({ found: 0, missed: 0 });
  });

  it('holds none after misses among states that are found', async () => {
    const cluster = await servers.open({ cut: 'auto', learnsLater: true });
    await cluster.learn(TABLES);
    for (let time = 0; time < MISSES; time++) {
      await miss(cluster);
      await find(cluster);
    }
    expect(cluster.counts?.locked).toEqual({ found: 0, missed: 0 });
  });

  it('never holds any where the setting says so', async () => {
    const cluster = await starved('validated');
    await find(cluster);
    expect(cluster.counts?.locked).toEqual({ found: 0, missed: 0 });
    expect(await cluster.warnings()).toEqual([]);
  });

  it('names the servers that do not let the role hold transactions, with the grant of each', async () => {
    const role = 'reader "of" all';
    for (const client of clients()) await client.query(`create role "reader ""of"" all" login`);
    const grant = 'grant truncate on table pg_catalog.pg_dist_transaction to "reader ""of"" all";';
    const other = new URL(servers.other().url).host;
    const locked = await servers.open({ cut: 'locked', role, learnsLater: true });
    expect(await locked.learn(TABLES)).toBe(
      'cluster.cut: locked needs a right. ' +
        `On its server of \`database\`: ${grant} On its server ${other}: ${grant}`,
    );
    const [own, there] = clients();
    await own?.query(grant);
    const auto = await starved('auto', { role });
    await find(auto);
    expect(auto.counts?.locked).toEqual({ found: 0, missed: 0 });
    expect(await auto.warnings()).toEqual([
      'Under many writers models on several servers are 503 no_common_state, since the role may ' +
        `not hold their transactions. On its server ${other}: ${grant}`,
    ]);
    await there?.query(grant);
    expect(await locked.learn(TABLES)).toBeUndefined();
    await find(locked);
  });
});
