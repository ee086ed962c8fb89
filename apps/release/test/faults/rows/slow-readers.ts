import { once } from 'node:events';
import { connect } from 'node:net';

import { freePort, until } from '@proj/test-servers';

import type { FaultDatabase } from '../../databases/fault-database.ts';
import { demandItems } from '../expect.ts';
import type { FaultRow } from '../fault-row.ts';
import { queryHead } from '../raw.ts';
import { SETTINGS } from '../../support/service.ts';

/** Callers who ask, and do not read what they get. */
export const SLOW_READERS: readonly FaultRow[] = [
  {
    name: 'callers who read nothing',
    fault: '2 callers ask for pages of 20 MB and read nothing',
    expected:
      'other callers are answered meanwhile, and the connections that take nothing are closed',
    run: async ({ database, serve, atEnd }) => {
      await createLarge(database);
      atEnd(async () => database.run('drop table large'));
      const metrics = { port: await freePort() };
      const service = await serve({
        settings: {
          ...SETTINGS,
          metrics,
          limits: { send_timeout_ms: 2000, query_timeout_ms: 30_000 },
        },
      });
      const body =
        '{"query_model":"large","query_attributes":["filler"],"page":{"page":1,"size":400}}';
      const sockets = Array.from({ length: 2 }, () => connect(service.port, '127.0.0.1').pause());
      await Promise.all(sockets.map(async (socket) => once(socket, 'connect')));
      for (const socket of sockets)
        socket
          .on('error', () => undefined)
          .write(queryHead(`Content-Length: ${body.length}`) + body);
      for (let turn = 0; turn < 20; turn += 1) await demandItems(service);
      await until(async () => (await sendTimeouts(metrics.port)) === sockets.length);
      for (const socket of sockets) socket.destroy();
      await demandItems(service);
    },
  },
];

/** A table of 20 MB: more than systems take for a connection whose other end reads nothing. */
async function createLarge(database: FaultDatabase): Promise<void> {
  await database.run('create table large (id integer primary key, filler text)');
  for (let from = 0; from < 400; from += 40) {
    const rows = Array.from(
      { length: 40 },
      (_, index) => `(${from + index}, '${'x'.repeat(50_000)}')`,
    );
    await database.run(`insert into large values ${rows.join(', ')}`);
  }
}

/** How many connections were closed because they took nothing. */
async function sendTimeouts(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^dynamic_query_send_timeouts_total (\d+)$/m.exec(text)?.[1]);
}
