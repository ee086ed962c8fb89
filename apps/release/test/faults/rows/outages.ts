import assert from 'node:assert/strict';

import { until } from '@proj/test-servers';

import { itemsPage } from '../../support/ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { type Service, SETTINGS } from '../../support/service.ts';
import { startLoad } from '../load.ts';

/** The database goes, comes back, or was never there. */
export const OUTAGES: readonly FaultRow[] = [
  {
    name: 'broken connections',
    fault: 'every connection breaks, or every reader is killed, while queries run',
    expected: 'each reply is 200 or 503, the next is 200, the process lives',
    run: async ({ database, serve }) => {
      const service = await serve();
      const load = startLoad(service, 8);
      for (let time = 0; time < 5; time += 1) {
        await load.answered(50);
        await database.breakConnections(service.pid);
      }
      demandLoad(await load.stop(), [200, 503]);
      await demandRecovery(service);
    },
  },
  {
    name: 'database restart',
    fault: 'the database restarts under load',
    expected: '200 or 503 until it is back, then 200 alone, without a restart of the service',
    run: async ({ database, serve }) => {
      const service = await serve();
      const load = startLoad(service, 8);
      await load.answered(50);
      await database.halt();
      await load.answered(20);
      await until(async () => (await service.get('/readyz')).status === 503);
      await database.restart();
      await until(async () => (await service.ask(itemsPage())).status === 200);
      await load.answered(100);
      demandLoad(await load.stop(), [200, 503, 504]);
      demandStatus(await service.get('/livez'), 200);
      await until(async () => (await service.get('/readyz')).status === 200);
      await demandItems(service);
    },
  },
  {
    name: 'no connection left',
    fault: 'other clients have taken every connection of the database',
    expected: '503 with Retry-After, and 200 once they are gone',
    databases: ['postgres', 'mariadb'],
    run: async ({ database, serve, atEnd }) => {
      const service = await serve();
      await demandItems(service);
      await database.breakConnections(service.pid);
      const letGo = await database.takeEveryConnection();
      atEnd(letGo);
      // A connection that the service has kept, or won, may answer.
      const reply = await service.ask(itemsPage());
      demandStatus(reply, 200, 503);
      if (reply.status === 503) assert.ok(reply.headers.has('retry-after'), 'no Retry-After');
      await letGo();
      await demandRecovery(service);
    },
  },
  {
    name: 'locked table',
    fault: 'another session holds the table in an exclusive lock',
    expected: '503 or 504 within the time limit, 200 once it is released',
    run: async ({ database, serve, atEnd }) => {
      const service = await serve({
        settings: { ...SETTINGS, limits: { query_timeout_ms: 2000 } },
      });
      await demandItems(service);
      const release = await database.lock();
      atEnd(release);
      const reply = await service.ask(itemsPage({ page: { page: 2, size: 7 } }));
      demandReply(reply, reply.status, 'query_timeout', 'database_unavailable');
      demandStatus(reply, 503, 504);
      await release();
      await demandRecovery(service);
    },
  },
];

async function demandRecovery(service: Service): Promise<void> {
  await until(async () => (await service.ask(itemsPage())).status === 200);
  await demandItems(service);
  assert.equal(service.child.exitCode, null, 'the process has ended');
}

function demandLoad(statuses: ReadonlyMap<number, number>, allowed: readonly number[]): void {
  const others = [...statuses].filter(([status]) => !allowed.includes(status));
  assert.deepEqual(
    others,
    [],
    `other statuses than ${allowed.join(', ')}: ${JSON.stringify(others)}`,
  );
  assert.ok((statuses.get(200) ?? 0) > 0, 'no request succeeded');
}
