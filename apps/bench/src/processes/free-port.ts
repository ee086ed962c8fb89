import { once } from 'node:events';
import { createServer } from 'node:net';

const LOWEST = 20_000;
const HIGHEST = 31_999;

/** A free port on loopback, below the ports from which the system connects. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    const server = createServer().listen(port, '127.0.0.1');
    const free = await Promise.race([once(server, 'listening').then(() => true), once(server, 'error').then(() => false)]);
    server.close();
    if (free) return port;
  }
}
