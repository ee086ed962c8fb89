import { describe, expect, it } from 'vitest';

import { callOf } from '../../../engine/test/call.ts';
import { FACTS, usePlainCluster } from './plain-cluster.ts';

describe('a state of several servers', () => {
  const servers = usePlainCluster();
  const { own, other } = servers;

  it('is warned of where transactions were left prepared, with their names and what to do', async () => {
    const cluster = await servers.open({ cut: 'validated', learnsLater: true });
    await own().client(`insert into pg_dist_partition values (1, 'h', 's', 1)`);
    expect(await cluster.learn({ ...FACTS, tables: '1' })).toBeUndefined();
    expect(await cluster.warnings()).toEqual([]);
    await other().client(`begin; update accounts set amount = amount where id = 1;
      prepare transaction 'citus_0_1_2_3'`);
    try {
      await expect
        .poll(() => cluster.warnings())
        .toEqual([
          'Models on several servers are 503 no_common_state, since transactions were left ' +
            `prepared. On its server ${new URL(other().url).host}: citus_0_1_2_3. Citus resolves ` +
            'what was left so once a minute (citus.recover_2pc_interval), or at once on the server ' +
            'that began it, whose group comes after citus_: select recover_prepared_transactions();',
        ]);
      await expect(cluster.lookForCut(callOf())).rejects.toMatchObject({
        name: 'NoCommonStateError',
      });
    } finally {
      await other().client(`rollback prepared 'citus_0_1_2_3'`);
    }
    expect(await cluster.warnings()).toEqual([]);
  });
});
