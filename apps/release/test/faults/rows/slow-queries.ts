import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';

import { until } from '@proj/test-servers';

import { itemsPage, type Reply, SLOW_PAGE } from '../../support/ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { startLoad } from '../load.ts';
import { openFiles } from '../../support/processes.ts';
import { type Service, WITH_SLOW } from '../../support/service.ts';

/** Queries that take too long, and callers who do not wait for them. */
export const SLOW_QUERIES: readonly FaultRow[] = [
  {
    name: 'slow queries on every connection',
    fault: 'slow queries of one caller have taken every connection',
    expected:
      'requests that need no database are answered; the slow ones get 504 or 503; afterwards 200',
    run: async ({ serve }) => {
      const service = await serve({ settings: WITH_SLOW });
      const slow = Array.from({ length: 64 }, async (_, index) =>
        service.ask({ ...SLOW_PAGE, page: { page: index + 1, size: 5 } }),
      );
      const replies = Promise.all(slow);
      demandReply(
        await service.ask(itemsPage({ page: { page: 0, size: 5 } })),
        400,
        'out_of_range',
      );
      demandReply(
        await service.ask(itemsPage(), { token: 'unknown-token-0000' }),
        401,
        'unauthenticated',
      );
      demandStatus(await service.get('/livez'), 200);
      for (const reply of await replies) demandStatus(reply, 503, 504);
      await until(async () => (await service.ask(itemsPage())).status === 200);
    },
  },
  {
    name: 'callers leave at any moment',
    fault: 'callers leave at any moment of quick queries',
    expected: 'every query of the others is answered with its own page',
    run: async ({ serve }) => {
      const service = await serve();
      const load = startLoad(service, 4);
      for (let batch = 0; batch < 20; batch += 1)
        await Promise.all(Array.from({ length: 15 }, async () => leaveSoon(service)));
      await load.answered(20);
      assert.deepEqual([...(await load.stop()).keys()], [200]);
    },
  },
  {
    name: 'callers connect and close',
    fault: '1,000 callers connect, send and close',
    expected: 'the open files of the process come back to what they were',
    run: async ({ serve }) => {
      const service = await serve();
      await demandItems(service);
      const before = openFiles(service.pid);
      for (let batch = 0; batch < 20; batch += 1)
        await Promise.all(Array.from({ length: 50 }, async () => leaveSoon(service)));
      await until(() => openFiles(service.pid) <= before + 25);
      await demandItems(service);
    },
  },
];

async function leaveSoon(service: Service): Promise<Reply | undefined> {
  const page = { page: randomInt(1, 150), size: 5 };
  return service
    .ask(itemsPage({ page }), { signal: AbortSignal.timeout(randomInt(1, 20)) })
    .catch(() => undefined);
}
