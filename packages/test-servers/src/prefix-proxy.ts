import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in this process that passes on what is below a path, as of a `location` of nginx. */
export interface PrefixProxy {
  /** Where callers reach the service, such as `http://127.0.0.1:40001/data`. */
  readonly url: string;
  /** Says where the service is; until then nothing is passed on. */
  readonly passTo: (origin: string) => void;
  readonly close: () => Promise<void>;
}

/** @param prefix the path, such as `/data` */
export async function openPrefixProxy(prefix: string): Promise<PrefixProxy> {
  let target = '';
  const server = createServer((incoming, reply) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) {
      reply.writeHead(404).end('Nothing is passed on here.');
      return;
    }
    const passed = request(target + url.slice(prefix.length), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    passed.on('error', () => reply.destroy());
    incoming.pipe(passed);
  });
  await listening(server);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    passTo: (origin) => (target = origin),
    close: async () => closed(server),
  };
}

async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
}
