import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server, type ServerOpts, type Socket } from 'node:net';

import type { App } from '../app.ts';
import type { Address } from './listen.ts';

interface ListenerOptions {
  readonly server: ServerOpts;
  /** Of this process. */
  readonly maxConnections?: number;
  readonly onConnection: (connection: Socket) => void;
}

/**
 * Listens on an address; on `localhost` on both families, as far as the machine has them. The first
 * server is the one that must listen.
 *
 * @throws what keeps the address from being listened on
 */
export async function openListeners(
  { host, port }: Address,
  options: ListenerOptions,
): Promise<Server[]> {
  const [address = host, ...others] = await addressesOf(host);
  const first = await openListener({ host: address, port }, options);
  return [first, ...(await openOthers(first, others, options))];
}

/**
 * Makes an app listen likewise through its one HTTP server: Fastify would add a second server for
 * `localhost`, without our listeners.
 *
 * @param lookUp finds the addresses of a host
 * @throws what keeps the address from being listened on
 */
export async function listenThrough(
  app: App,
  { host, port }: Address,
  lookUp = addressesOf,
): Promise<void> {
  let others: readonly Server[] = [];
  let closed: Promise<unknown> | undefined;
  app.addHook('preClose', async () => {
    closed = Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))));
  });
  // Otherwise an app would count as closed before answering these connections.
  app.addHook('onClose', async () => void (await closed));
  const [address = host, ...rest] = await lookUp(host);
  await app.listen({ host: address, port });
  others = await openOthers(app.server, rest, {
    server: { allowHalfOpen: true, noDelay: true },
    onConnection: (connection) => app.server.emit('connection', connection),
  });
}

async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

async function openOthers(
  first: Server,
  hosts: readonly string[],
  options: ListenerOptions,
): Promise<Server[]> {
  const bound = first.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const others = hosts.map((host) => openListener({ host, port }, options));
  const opened = await Promise.allSettled(others);
  return opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function openListener(
  address: Address,
  { server: serverOptions, maxConnections, onConnection }: ListenerOptions,
): Promise<Server> {
  const server = createServer(serverOptions, onConnection);
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.listen(address);
  await once(server, 'listening');
  return server;
}
