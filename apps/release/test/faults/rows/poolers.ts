import assert from 'node:assert/strict';

import { startPgBouncer } from '@proj/test-servers';
import { Client } from 'pg';

import { itemsPage, SLOW_PAGE } from '../../support/ask.ts';
import { demandItems, demandReply } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { failedStart, WITH_SLOW } from '../../support/service.ts';
import { startLoad } from '../load.ts';

/** A pooler between the service and PostgreSQL. */
export const POOLERS: readonly FaultRow[] = [
  {
    name: 'PgBouncer in transaction mode',
    fault:
      'PgBouncer in transaction mode shares two connections between the service and an ' +
      'application that writes',
    expected: 'the application writes, every reply is right, slow queries are stopped',
    databases: ['postgres'],
    run: async ({ database, serve, atEnd }) => {
      const pooler = await startPgBouncer({
        server: database.url,
        mode: 'transaction',
        settings: { default_pool_size: '2' },
      });
      atEnd(async () => pooler.stop());
      const service = await serve({ database: pooler.url, settings: WITH_SLOW });
      const load = startLoad(service, 4);
      for (let turn = 0; turn < 30; turn += 1) await writeThrough(pooler.url, turn);
      await load.answered(50);
      assert.deepEqual([...(await load.stop()).keys()], [200]);
      demandReply(await service.ask(SLOW_PAGE), 504, 'query_timeout');
      await demandItems(service);
      await service.stop();
      await writeThrough(pooler.url, 99);
    },
  },
  {
    name: 'PgBouncer in statement mode',
    fault: 'PgBouncer in statement mode',
    expected: 'the start is refused with the reason, or every query is answered in one statement',
    databases: ['postgres'],
    run: async ({ database, atEnd }) => {
      const pooler = await startPgBouncer({ server: database.url, mode: 'statement' });
      atEnd(async () => pooler.stop());
      const { code, stderr } = await failedStart({ database: pooler.url });
      assert.equal(code, 1);
      assert.match(stderr, /statement|transaction/);
    },
  },
  {
    name: 'PgBouncer restart',
    fault: 'PgBouncer is stopped and another one is started',
    expected: '503 meanwhile and no reply that is wrong',
    databases: ['postgres'],
    run: async ({ database, serve, atEnd }) => {
      const pooler = await startPgBouncer({ server: database.url, mode: 'transaction' });
      atEnd(async () => pooler.stop());
      const service = await serve({ database: pooler.url });
      await demandItems(service);
      await pooler.stop();
      demandReply(
        await service.ask(itemsPage({ page: { page: 4, size: 3 } })),
        503,
        'database_unavailable',
      );
    },
  },
];

/** Writes as another application does that shares the connections. */
async function writeThrough(url: string, turn: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`update others set name = 'written ${turn}' where id = 1`);
  } finally {
    await client.end();
  }
}
