import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const MOST_TRIES = 100;

/**
 * A port that is likely to be free, below those from which systems connect: a client could meet
 * itself there while no server listens.
 */
export function anyPort(): number {
  return randomInt(20_000, 32_000);
}

/** Lets a server listen on a free port of loopback, which is returned. */
export async function listenOnFreePort(server: Server): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = anyPort();
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return port;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}

/** A free port of loopback, for a program that takes its port as a setting. */
export async function freePort(): Promise<number> {
  const server = createServer();
  try {
    return await listenOnFreePort(server);
  } finally {
    server.close();
  }
}
