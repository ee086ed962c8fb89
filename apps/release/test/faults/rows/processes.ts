import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { until } from '@proj/test-servers';

import { itemsPage } from '../../support/ask.ts';
import { demandItems, demandReply, demandStatus } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { WITH_SLOW } from '../../support/service.ts';
import { startLoad } from '../load.ts';

/** What happens to the process of the service, and to what it may use. */
export const PROCESSES: readonly FaultRow[] = [
  {
    name: 'paused process',
    fault: 'the process is paused for two seconds',
    expected: 'requests that came meanwhile are answered, without a burst of errors',
    run: async ({ serve, atEnd }) => {
      const service = await serve();
      await demandItems(service);
      process.kill(service.pid, 'SIGSTOP');
      atEnd(() => service.child.exitCode === null && process.kill(service.pid, 'SIGCONT'));
      const waiting = Array.from({ length: 20 }, async (_, index) =>
        service.ask(itemsPage({ page: { page: index + 1, size: 5 } })),
      );
      // The pause itself is the fault.
      await sleep(2000);
      process.kill(service.pid, 'SIGCONT');
      for (const reply of await Promise.all(waiting)) demandReply(reply, 200);
    },
  },
  {
    name: 'few open files',
    fault: 'the process may open 80 files, and 200 callers connect',
    expected: 'it goes on, and answers once they have left',
    run: async ({ serve }) => {
      const service = await serve({ shell: 'ulimit -n 80; exec "$@"' });
      await demandItems(service);
      const sockets = Array.from({ length: 200 }, () =>
        connect(service.port, '127.0.0.1').on('error', () => undefined),
      );
      await Promise.all(
        sockets.map(async (socket) => once(socket, 'connect').catch(() => undefined)),
      );
      for (const socket of sockets) socket.destroy();
      await until(async () =>
        service.ask(itemsPage()).then(
          ({ status }) => status === 200,
          () => false,
        ),
      );
      assert.equal(service.child.exitCode, null);
    },
  },
  {
    name: 'database hangs',
    fault: 'the database hangs without closing anything',
    expected:
      '503 or 504 within the time limit, readiness falls while nothing can be read, ' +
      'and 200 once it goes on',
    run: async ({ database, serve, atEnd }) => {
      const service = await serve({ settings: WITH_SLOW });
      await demandItems(service);
      const thaw = await database.freeze(service.pid);
      atEnd(thaw);
      demandStatus(await service.ask(itemsPage({ page: { page: 2, size: 7 } })), 503, 504);
      // Readers that do not answer are ended and started anew: SQLite may be back before it is let
      // go.
      const isBack = async (): Promise<boolean> =>
        database.name === 'sqlite' && (await service.ask(itemsPage())).status === 200;
      await until(async () => (await service.get('/readyz')).status === 503 || isBack());
      await thaw();
      await until(async () => (await service.ask(itemsPage())).status === 200);
      const load = startLoad(service, 4);
      await load.answered(100);
      assert.deepEqual([...(await load.stop()).keys()], [200]);
    },
  },
];
