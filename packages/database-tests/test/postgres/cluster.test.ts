import type { TestDatabase } from '@proj/test-servers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { CitusCluster } from '../../../postgres/src/cluster/open-cluster.ts';
import type { Cut } from '../../../postgres/src/connection/distribution.ts';
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
import { openSource } from './server.ts';

const PREPARE = `begin; update accounts set amount = amount where id = 1;
  prepare transaction 'citus_0_1_2_3'`;
const COMMIT = `commit prepared 'citus_0_1_2_3'`;

/** So often two servers are read together. */
const READS = 25;

async function write(server: () => TestDatabase): Promise<void> {
  await server().client('update accounts set amount = amount where id = 1');
}

describe('a state that several servers have in common', () => {
  const servers = usePlainCluster();
  const { own, other } = servers;
  const clients = useClients(servers);
  let cluster: CitusCluster;

  beforeAll(async () => {
    cluster = await servers.open({ cut: 'validated' });
  });

  const MOVED = { name: 'NoCommonStateError' };

  it('is one that neither has left while it was looked for, nor since', async () => {
    const asked = await servers.open({ cut: 'validated' });
    const first = await asked.lookForCut(callOf());
    await confirm(clients(), first);
    const second = await asked.lookForCut(callOf());
    expect(second.states).toEqual(first.states);
    await confirm(clients(), second);
  });

  it.each([
    ['the server that is read', own],
    ['another server', other],
  ])('is none once %s has changed, and another one is found then', async (_which, server) => {
    const asked = await servers.open({ cut: 'validated' });
    const cut = await asked.lookForCut(callOf());
    await write(server);
    await expect(confirm(clients(), cut)).rejects.toMatchObject(MOVED);
    await confirm(clients(), await asked.lookForCut(callOf()));
  });

  it.each([
    ['is looked for from the moment at which a table is found to be distributed', 'auto', true],
    ['is never looked for where no cut is wanted', 'none', false],
  ] as const)('%s', async (_, cut, isLookedFor) => {
    const addresses = { 'worker:5432': new URL(other().url).host };
    const source = await openSource(own().url, { cluster: { cut, addresses } });
    await source.introspect();
    expect(source.cuts).toBeUndefined();
    onTestFinished(async () => void (await own().client('delete from pg_dist_partition')));
    await own().client(`insert into pg_dist_partition values ('accounts', 'h', 'c', 1)`);
    const accounts = (await source.introspect()).find(({ path }) => path[1] === 'accounts');
    expect(accounts?.cut).toEqual(isLookedFor ? [['public', 'accounts']] : undefined);
    expect(source.cuts !== undefined).toBe(isLookedFor);
  });

  it('is looked for once by reads that wait at the same time', async () => {
    await write(own);
    const asked = await servers.open({ cut: 'validated' });
    const look = (): Promise<Cut> => asked.lookForCut(callOf());
    const [one, another] = await Promise.all([look(), look()]);
    expect(one.states).toBe(another.states);
    await Promise.all([one.confirm(one.states[0]), another.confirm(another.states[0])]);
  });

  it('is none while a server has prepared what another may have committed', async () => {
    const asked = await servers.open({ cut: 'validated' });
    await other().client(PREPARE);
    try {
      await expect(asked.lookForCut(callOf())).rejects.toMatchObject({
        ...MOVED,
        message: expect.stringContaining(
          `prepared. On its server ${new URL(other().url).host}: citus_0_1_2_3. Citus resolves`,
        ) as string,
      });
    } finally {
      await other().client(COMMIT);
    }
    await confirm(clients(), await asked.lookForCut(callOf()));
  });

  it('is warned of where transactions were left prepared, with their names and what to do', async () => {
    const warning = await servers.open({ cut: 'validated', learnsLater: true });
    onTestFinished(async () => void (await own().client('delete from pg_dist_partition')));
    await own().client(`insert into pg_dist_partition values (1, 'h', 's', 1)`);
    expect(await warning.learn({ ...FACTS, tables: '1' })).toBeUndefined();
    expect(await warning.warnings()).toEqual([]);
    await other().client(PREPARE);
    try {
      await expect
        .poll(() => warning.warnings())
        .toEqual([
          'Models on several servers are 503 no_common_state, since transactions were left ' +
            `prepared. On its server ${new URL(other().url).host}: citus_0_1_2_3. Citus resolves ` +
            'what was left so once a minute (citus.recover_2pc_interval), or at once on the server ' +
            'that began it, whose group comes after citus_: select recover_prepared_transactions();',
        ]);
    } finally {
      await other().client(COMMIT);
    }
    expect(await warning.warnings()).toEqual([]);
  });

  it('is one while a server has prepared since what no other has committed, and none after', async () => {
    const asked = await servers.open({ cut: 'validated' });
    const cut = await asked.lookForCut(callOf());
    await other().client(PREPARE);
    try {
      await confirm(clients(), cut);
      await write(own);
      await expect(confirm(clients(), cut)).rejects.toMatchObject(MOVED);
    } finally {
      await other().client(COMMIT);
    }
    await confirm(clients(), await asked.lookForCut(callOf()));
  });

  it('is not looked for among other servers than those that were found', async () => {
    const asked = await servers.open({ cut: 'validated' });
    const cut = await asked.lookForCut(callOf());
    await own().client(`update pg_catalog.pg_dist_node set nodeport = 5433 where groupid = 1`);
    await expect(confirm(clients(), cut)).rejects.toMatchObject(MOVED);
    await expect(asked.lookForCut(callOf())).rejects.toMatchObject({ code: 'schema_changed' });
    await own().client(`update pg_catalog.pg_dist_node set nodeport = 5432 where groupid = 1`);
  });

  it('names the server that does not answer', async () => {
    const asked = await servers.open({ cut: 'validated', learnsLater: true });
    const problem = await asked.learn({ ...FACTS, servers: '0 coordinator 5432,2 127.0.0.1 1' });
    expect(problem).toMatch(
      /^Its server 127\.0\.0\.1:1 cannot be read \(cluster\.addresses\): .+\.$/,
    );
    expect(await asked.learn(FACTS)).toBeUndefined();
  });

  it('names the address that leads to another server than the one that the cluster reaches', async () => {
    const address = new URL(own().url).host;
    const asked = await servers.open({ cut: 'validated', address, learnsLater: true });
    expect(await asked.learn(FACTS)).toBe(
      `The address ${address} does not lead to the server that the cluster reaches as group 1 ` +
        '(cluster.addresses).',
    );
  });

  it('is not one where the snapshots were taken through another server than was looked at', async () => {
    const cut = await cluster.lookForCut(callOf());
    await expect(cut.confirm('another one')).rejects.toMatchObject(MOVED);
  });

  it('holds each amount once, whatever is moved between the servers', async () => {
    let reads = 0;
    const moving = moveAmounts(servers, () => reads);
    const sums = new Set<number | undefined>();
    for (; reads < READS || !sums.has(SUM); reads++) sums.add(await sumIn(clients(), cluster));
    await moving.stop();
    sums.delete(undefined);
    expect([...sums]).toEqual([SUM]);
  });

  it('is missed where nobody looks, so that amounts are met twice or not at all', async () => {
    let reads = 0;
    const moving = moveAmounts(servers, () => reads);
    let sum = await sumIn(clients(), undefined);
    for (; sum === SUM; reads++) sum = await sumIn(clients(), undefined);
    await moving.stop();
    expect(sum).not.toBe(SUM);
  });

  it('is not looked for on a server that was started anew since it was compared', async () => {
    const asked = await servers.open({ cut: 'validated' });
    await other().restart();
    await expect
      .poll(() => asked.lookForCut(callOf()).catch((error: unknown) => error))
      .toMatchObject({ code: 'schema_changed' });
    await expect.poll(() => asked.learn(FACTS)).toBeUndefined();
    const cut = await asked.lookForCut(callOf());
    await cut.confirm(cut.states[0]);
  });
});
