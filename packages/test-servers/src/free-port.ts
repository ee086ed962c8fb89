import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * A port that is likely to be free, below those from which systems connect: a client could meet
 * itself there while no server listens.
 */
export function anyPort(): number {
  return randomInt(20_000, 32_000);
}

/** Lets a server listen on a free port of loopback, which is returned. */
export async function listenOnFreePort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * A free port of loopback, for a program that takes its port as a setting and starts there again.
 * It is none of those that the system gives to connections: while the program is away, one of them
 * could take it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer();
    const isFree = once(server, 'listening').then(
      () => true,
      () => false,
    );
    const port = anyPort();
    server.listen(port, '127.0.0.1');
    if (!(await isFree)) continue;
    await once(server.close(), 'close');
    return port;
  }
}
