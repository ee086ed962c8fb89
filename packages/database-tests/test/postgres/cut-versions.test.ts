import type { TestDatabase } from '@proj/test-servers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { CitusCluster } from '../../../postgres/src/cluster/open-cluster.ts';
import type { Cut } from '../../../postgres/src/connection/distribution.ts';
import { NoCommonStateError } from '../../../postgres/src/connection/errors.ts';
import { SERVER_STATE } from '../../../postgres/src/states/cluster-state.ts';
import { callOf } from '../../../engine/test/call.ts';
import { usePlainCluster } from './plain-cluster.ts';

const write = async (server: () => TestDatabase): Promise<void> => {
  await server().client('update accounts set amount = amount where id = 1');
};

const stateOf = (server: () => TestDatabase): Promise<string> =>
  server().client(`select ${SERVER_STATE}`);

describe('the version of the data of several servers', () => {
  const servers = usePlainCluster();
  const { own, other } = servers;
  let cluster: CitusCluster;

  /** A read, whose snapshots are of the state unless that is known; it is tried until they are. */
  async function readIn(
    reading: CitusCluster,
    meanwhile: (cut: Cut) => unknown = () => undefined,
  ): Promise<{ readonly isKnown: boolean; readonly version: string | undefined }> {
    for (;;) {
      const cut = await reading.lookForCut(callOf(), true);
      const seen = await Promise.all([own, ...(cut.isKnown ? [] : [other])].map(stateOf));
      if (!cut.isKnown && !seen.every((state) => cut.states.includes(state))) {
        cut.leave(new NoCommonStateError('A snapshot is of another state.'));
        continue;
      }
      await cut.confirm(seen[0]);
      await meanwhile(cut);
      return { isKnown: cut.isKnown, version: await cut.end() };
    }
  }

  beforeAll(async () => {
    cluster = await servers.open({ cut: 'validated' });
  });

  it('is the same in every process as long as nobody writes', async () => {
    const another = await servers.open({ cut: 'validated' });
    const { version } = await readIn(cluster);
    expect(version).toMatch(/ primary \d+:\d+:.* \| .* primary \d+:\d+:/);
    expect(await readIn(another)).toMatchObject({ version });
    expect(await cluster.currentVersion(callOf())).toBe(version);
  });

  it.each([
    ['the server that is read', own],
    ['another server', other],
  ])('is another one after a commit on %s', async (_which, server) => {
    const { version } = await readIn(cluster);
    await write(server);
    expect(await cluster.currentVersion(callOf())).not.toBe(version);
    expect((await readIn(cluster)).version).not.toBe(version);
  });

  it('is that of its snapshots for a read during which a server was written to', async () => {
    await write(own);
    const before = (await cluster.currentVersion(callOf())) ?? '';
    expect(await readIn(cluster, () => write(other))).toEqual({ isKnown: false, version: before });
    expect(await cluster.currentVersion(callOf())).not.toBe(before);
  });

  it('is not known while a transaction of several servers is prepared', async () => {
    await other().client(`begin; update accounts set amount = amount where id = 1;
      prepare transaction 'citus_0_1_2_4'`);
    expect(await cluster.currentVersion(callOf())).toBeUndefined();
    await other().client(`commit prepared 'citus_0_1_2_4'`);
    expect(await cluster.currentVersion(callOf())).toBeDefined();
  });

  describe.each(['validated', 'locked'] as const)('which a %s cut has found', (cut) => {
    let reading: CitusCluster;

    beforeEach(async () => {
      reading = await servers.open({ cut });
      await readIn(reading);
    });

    it('is that of the next read, for which no state is looked for again', async () => {
      const { version } = await readIn(cluster);
      expect(await readIn(reading)).toEqual({ isKnown: true, version });
    });

    it.each([
      ['the server that is read', own],
      ['another server', other],
    ])('is lost to a read during which %s is written to', async (_which, server) => {
      await expect(readIn(reading, () => write(server))).rejects.toMatchObject({
        name: 'NoCommonStateError',
      });
      expect((await readIn(reading)).isKnown).toBe(false);
    });

    it('is lost to a read through another server', async () => {
      const known = await reading.lookForCut(callOf(), true);
      await expect(known.confirm('another one')).rejects.toMatchObject({
        name: 'NoCommonStateError',
      });
    });

    it('is no state for a read that is not quick', async () => {
      const slow = await reading.lookForCut(callOf());
      expect(slow.isKnown).toBe(false);
      await slow.confirm(slow.states[0]);
    });
  });
});
