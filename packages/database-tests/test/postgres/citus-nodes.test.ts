import type { Engine } from '@proj/engine';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { open } from '../open.ts';
import { ACCOUNTS, keepSums, readAccounts, RIGHT, WRITER, type Writing } from './citus-writers.ts';

/** The coordinator of a cluster that has workers, and whose database is the tests' own. */
const url = process.env['TEST_CITUS_URL'] ?? '';
const where = url === '' ? ' (skipped: TEST_CITUS_URL names no cluster)' : '';

/** Tables of other tests, which would be moved too. */
const OTHERS = 'orders, countries, single, known, alone';

/** How a read may end that finds no state. */
const REFUSED = ['no_common_state', 'database_unavailable', 'model_unavailable'];

interface Worker {
  readonly nodename: string;
  readonly nodeport: number;
}

describe.skipIf(url === '').each(['validated', 'locked'] as const)(
  `servers of a Citus cluster that come, go and fail, read in %s cuts${where}`,
  (cut) => {
    const admin = new Client({ connectionString: url });
    let engine: Engine;
    let workers: Worker[];
    let writing: Writing;
    let reads = 0;

    beforeAll(async () => {
      await admin.connect();
      await admin.query(`drop table if exists ${OTHERS}, accounts cascade; ${ACCOUNTS}`);
      const { rows } = await admin.query<Worker>(
        `select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid`,
      );
      workers = rows;
      engine = await open(url, { cluster: { cut } });
    });
    beforeEach(() => {
      writing = keepSums([url], () => reads);
    });
    afterEach(() => writing.stop());
    afterAll(() => admin.end());

    function read(): Promise<string> {
      reads += 1;
      return readAccounts(engine);
    }

    /** What reads find while something is done. */
    async function readDuring(work: () => Promise<unknown>): Promise<string[]> {
      const found: string[] = [];
      const doing = new AbortController();
      const reading = (async () => {
        while (!doing.signal.aborted) found.push(await read());
      })();
      await work();
      doing.abort();
      await reading;
      return [...new Set(found)].filter((end) => !REFUSED.includes(end));
    }

    async function untilRead(): Promise<void> {
      await expect.poll(() => read()).toBe(RIGHT);
    }

    /** How much moves have left behind, which is dropped when no read has it any more. */
    async function leftOver(): Promise<string | undefined> {
      await admin.query('call citus_cleanup_orphaned_resources()');
      const { rows } = await admin.query<{ left: string }>(
        'select count(*) as left from pg_dist_cleanup',
      );
      return rows[0]?.left;
    }

    async function untilClean(): Promise<void> {
      await expect.poll(leftOver).toBe('0');
    }

    async function moveAll(): Promise<void> {
      await untilClean();
      const { rows } = await admin.query<Worker & { shardid: string }>(
        `select s.shardid, n.nodename, n.nodeport
         from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
         where s.logicalrelid = 'accounts'::regclass`,
      );
      for (const { shardid, nodename, nodeport } of rows) {
        const target = workers.find((worker) => worker.nodeport !== nodeport);
        await admin.query('select citus_move_shard_placement($1, $2, $3, $4, $5, $6)', [
          shardid,
          nodename,
          nodeport,
          target?.nodename,
          target?.nodeport,
          'block_writes',
        ]);
      }
    }

    it('show right sums or none while shards are moved', async () => {
      expect(await readDuring(moveAll)).toEqual([RIGHT]);
      await untilRead();
    });

    it('show right sums or none while a server is emptied, removed and added', async () => {
      const { nodename, nodeport } = lastOf(workers);
      const found = await readDuring(async () => {
        await admin.query('select citus_drain_node($1, $2, $3)', [
          nodename,
          nodeport,
          'block_writes',
        ]);
        await untilClean();
        await admin.query('select citus_remove_node($1, $2)', [nodename, nodeport]);
        await untilRead();
        await admin.query('select citus_add_node($1, $2)', [nodename, nodeport]);
        await untilRead();
        await untilClean();
        await admin.query(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
      });
      expect(found).toEqual([RIGHT]);
      await untilRead();
    });

    it('show none while a part of a transaction is prepared, and right sums after', async () => {
      const { nodename, nodeport } = lastOf(workers);
      const worker = new URL(url);
      worker.host = `${nodename}:${nodeport}`;
      const client = new Client({ connectionString: worker.href });
      await client.connect();
      await client.query(`begin; select txid_current(); prepare transaction 'citus_0_1_2_3'`);
      // What is prepared changes no snapshot before another transaction ends.
      await admin.query('update accounts set amount = amount');
      expect(await read()).toBe('no_common_state');
      await client.query(`rollback prepared 'citus_0_1_2_3'`);
      await client.end();
      await untilRead();
    });

    it('show right sums or none while the coordinator ends its connections', async () => {
      const found = await readDuring(async () => {
        for (let time = 0; time < 20; time++)
          await admin.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where pid <> pg_backend_pid() and backend_type = 'client backend'
               and application_name not like 'citus%' and application_name <> '${WRITER}'`,
          );
      });
      expect(found.filter((end) => end !== RIGHT)).toEqual([]);
      await untilRead();
    });
  },
);

function lastOf<Item>(items: readonly Item[]): Item {
  const last = items.at(-1);
  if (last === undefined) throw new Error('The cluster has no workers.');
  return last;
}
