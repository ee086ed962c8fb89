import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 31_999;

/**
 * A free port on loopback, below the ports from which the system connects: a client could meet
 * itself there while no server listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
