import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

import type { Address } from '../../listen.ts';

interface ListenerOptions {
  /** So many connections may be open in this process. */
  readonly maxConnections: number;
  readonly onConnection: (connection: Socket) => void;
}

/**
 * Listens on an address without reading from the connections; on `localhost` on those of both
 * families, as far as the machine has them. The first server is the one that has to listen.
 *
 * @throws what keeps the address from being listened on
 */
export async function openListeners(
  { host, port }: Address,
  options: ListenerOptions,
): Promise<Server[]> {
  const first = await openListener({ host, port }, options);
  if (host !== 'localhost') return [first];
  const bound = first.address();
  const { address, port: own } = typeof bound === 'object' && bound !== null ? bound : {};
  const all = await lookup(host, { all: true }).catch(() => []);
  const others = all
    .filter((candidate) => candidate.address !== address)
    .map((other) => openListener({ host: other.address, port: own ?? port }, options));
  const opened = await Promise.allSettled(others);
  return [
    first,
    ...opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
  ];
}

async function openListener(
  address: Address,
  { maxConnections, onConnection }: ListenerOptions,
): Promise<Server> {
  const server = createServer({ pauseOnConnect: true, noDelay: true }, onConnection);
  server.maxConnections = maxConnections;
  server.listen(address);
  await once(server, 'listening');
  return server;
}
